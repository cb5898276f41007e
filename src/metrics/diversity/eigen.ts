/** Eigenvalues of small symmetric matrices. */

/**
 * Eigenvalues (descending) and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, 8.5). Vectors are
 * rows, in the order of their values. For matrices of up to a few hundred rows.
 */
export function eigenSymmetric(matrix: readonly (readonly number[])[]): { values: number[]; vectors: number[][] } {
  const n = matrix.length;
  const a = matrix.map((row) => Float64Array.from(row));
  const v = matrix.map((_, i) => Float64Array.from({ length: n }, (_, j) => Number(i === j)));
  const scale = Math.sqrt(matrix.flat().reduce((sum, x) => sum + x * x, 0));
  for (let sweep = 0; sweep < 64 && offDiagonal(a) > 1e-14 * scale; sweep++) {
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, p, q);
  }
  const order = a.map((_, i) => i).sort((i, j) => (a[j]?.[j] ?? 0) - (a[i]?.[i] ?? 0));
  return {
    values: order.map((i) => a[i]?.[i] ?? 0),
    vectors: order.map((i) => Array.from(v[i] ?? [])),
  };
}

function offDiagonal(a: readonly Float64Array[]): number {
  let sum = 0;
  a.forEach((row, i) => row.forEach((x, j) => (sum += i === j ? 0 : x * x)));
  return Math.sqrt(sum);
}

/** One rotation that makes a[p][q] vanish; rows of v turn along. */
function rotate(a: Float64Array[], v: Float64Array[], p: number, q: number): void {
  const [rowP, rowQ] = [a[p] as Float64Array, a[q] as Float64Array];
  const apq = rowP[q] as number;
  if (apq === 0) return;
  const theta = ((rowQ[q] as number) - (rowP[p] as number)) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  for (const row of a) {
    const [x, y] = [row[p] as number, row[q] as number];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
  for (const [one, other] of [
    [rowP, rowQ],
    [v[p] as Float64Array, v[q] as Float64Array],
  ] as const) {
    for (let k = 0; k < one.length; k++) {
      const [x, y] = [one[k] as number, other[k] as number];
      one[k] = c * x - s * y;
      other[k] = s * x + c * y;
    }
  }
}
