/** Errors of rollouts, their files and their store: a code for programs, and for people what happened and what to do. */

export type RolloutErrorCode =
  /** No lanes, or two with one id. */
  | 'no_lanes'
  /** A step is under way. */
  | 'busy'
  /** The step is not one of this run. */
  | 'no_row'
  /** The run is not in the store. */
  | 'no_run'
  /** NaN or Infinity, which JSON cannot write. */
  | 'not_finite'
  /** A run of another codec, which can be read but not gone on with. */
  | 'other_codec'
  /** The file is no wmtrace at all. */
  | 'not_wmtrace'
  /** A trace of another major version. */
  | 'wrong_version'
  /** A line that cannot be read. */
  | 'bad_line'
  /** The lines are not those the footer was made for. */
  | 'changed'
  /** IndexedDB failed while reading. */
  | 'storage';

export class RolloutError extends Error {
  override readonly name = 'RolloutError';

  constructor(
    readonly code: RolloutErrorCode,
    message: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
