/** Which rows share a pass: those of about one size, so that little of it only fills up. */

/**
 * Groups of rows, each with at most `ratio` times the size of its smallest row and at most `rows` rows; smaller sizes first.
 * @param size of a row, in places
 */
export function alikeGroups(
  all: readonly number[],
  size: (row: number) => number,
  ratio: number,
  rows = Infinity,
): number[][] {
  const order = [...all].sort((a, b) => size(a) - size(b) || a - b);
  const out: number[][] = [];
  while (order.length > 0) {
    const most = size(order[0] as number) * ratio;
    out.push(order.splice(0, order.slice(0, rows).filter((row) => size(row) <= most).length));
  }
  return out;
}
