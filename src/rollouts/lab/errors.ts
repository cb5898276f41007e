/** Errors of the batch lab: a code for programs, and for people what happened and what to do. */

export type LabErrorCode =
  /** The spec says something that cannot be run. */
  | 'bad_spec'
  /** A simulator of the spec was not handed over, or cannot answer in a world of it. */
  | 'no_simulator'
  /** A simulator's machinery failed in a way that another try may not show. */
  | 'lane_failed'
  /** The twin has no answer in a state that it came to itself. */
  | 'twin_failed'
  /** The place for the results holds those of something else. */
  | 'other_batch'
  /** The batch is at work somewhere else, in another tab perhaps. */
  | 'in_use'
  /** Records that cannot be read. */
  | 'bad_record'
  /** IndexedDB failed. */
  | 'storage';

export class LabError extends Error {
  override readonly name = 'LabError';

  constructor(
    readonly code: LabErrorCode,
    message: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
