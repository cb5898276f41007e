/** Errors of this layer: each has a code for programs and an advice for people. */

export type RolloutErrorCode =
  | 'busy'
  | 'unknown-step'
  | 'unknown-lane'
  | 'unknown-run'
  | 'not-a-trace'
  | 'bad-line'
  | 'bad-record'
  | 'version'
  | 'changed'
  | 'not-json'
  | 'no-crypto';

export class RolloutError extends Error {
  override readonly name: string = 'RolloutError';

  constructor(
    readonly code: RolloutErrorCode,
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

/** An error at a line (from 1) of a wmtrace file. */
export class TraceError extends RolloutError {
  override readonly name = 'TraceError';

  constructor(
    code: RolloutErrorCode,
    readonly line: number,
    problem: string,
    advice: string,
  ) {
    super(code, `Line ${line}: ${problem}`, advice);
  }
}

/** What a record keeps of anything that was thrown: code and advice where the error has them. */
export function describeError(error: unknown): { code: string; message: string; advice: string } {
  const from = (typeof error === 'object' && error !== null ? error : {}) as { [key: string]: unknown };
  const text = (key: string, otherwise: string) => {
    const value = from[key];
    return typeof value === 'string' && value !== '' ? value : otherwise;
  };
  return {
    code: text('code', text('name', 'Error')),
    message: text('message', String(error)),
    advice: text('advice', 'Try the step again; if it fails again, restart the lane.'),
  };
}
