/** Errors of blind rating: a code for programs, and for people what happened and what to do. */

export type RatingErrorCode =
  /** The file is none of this format. */
  | 'not_wmvotes'
  /** A file of a version that this code does not read. */
  | 'wrong_version'
  /** A line that cannot be read. */
  | 'bad_line'
  /** The lines are not those the footer was made for. */
  | 'changed'
  /** Two records with one id say different things. */
  | 'conflict'
  /** Nothing can be compared. */
  | 'no_pairs'
  /** The set is not in the store. */
  | 'no_set'
  /** IndexedDB failed. */
  | 'storage';

export class RatingError extends Error {
  override readonly name = 'RatingError';

  constructor(
    readonly code: RatingErrorCode,
    message: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
