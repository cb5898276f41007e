/** Eigenvalues of small symmetric matrices. */

/**
 * Eigenvalues (descending) and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, 8.5). Vectors are
 * rows, in the order of their values. For matrices of up to a few hundred rows.
 */
export function eigenSymmetric(matrix: readonly (readonly number[])[]): { values: number[]; vectors: number[][] } {
  const n = matrix.length;
  const a = Float64Array.from(matrix.flat());
  const v = Float64Array.from({ length: n * n }, (_, i) => Number(i % (n + 1) === 0));
  const scale = Math.sqrt(a.reduce((sum, x) => sum + x * x, 0));
  for (let sweep = 0; sweep < 64 && offDiagonal(a, n) > 1e-14 * scale; sweep++) {
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q);
  }
  const at = (i: number) => a[i * n + i] ?? 0;
  const order = matrix.map((_, i) => i).sort((i, j) => at(j) - at(i));
  return { values: order.map(at), vectors: order.map((i) => Array.from(v.subarray(i * n, (i + 1) * n))) };
}

function offDiagonal(a: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if (i % (n + 1) !== 0) sum += (a[i] as number) ** 2;
  return Math.sqrt(sum);
}

/** One rotation that makes a[p][q] vanish; rows of v turn along. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q] as number;
  if (apq === 0) return;
  const theta = ((a[q * n + q] as number) - (a[p * n + p] as number)) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) turn(a, k * n + p, k * n + q, c, s);
  for (let k = 0; k < n; k++) turn(a, p * n + k, q * n + k, c, s);
  for (let k = 0; k < n; k++) turn(v, p * n + k, q * n + k, c, s);
}

function turn(values: Float64Array, i: number, j: number, c: number, s: number): void {
  const x = values[i] as number;
  const y = values[j] as number;
  values[i] = c * x - s * y;
  values[j] = s * x + c * y;
}
