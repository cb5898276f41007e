/** What can go wrong between a model folder and an answer. Every failure has a code for code and advice for people. */

export type ModelErrorCode =
  | 'network'
  | 'not_found'
  | 'not_a_model'
  | 'wrong_size'
  | 'wrong_hash'
  | 'bad_config'
  | 'wrong_codec'
  | 'wrong_tokenizer'
  | 'unsupported_dtype'
  | 'no_runtime'
  | 'session'
  | 'self_test'
  | 'run'
  | 'bad_output'
  | 'device_lost'
  | 'context_too_long'
  | 'bad_options'
  | 'crashed'
  | 'no_answer'
  | 'disposed';

/** The parts of a failure that cross a worker boundary and reach the page. */
export interface Failure {
  code: string;
  message: string;
  advice: string;
}

export class ModelError extends Error {
  override readonly name = 'ModelError';

  /**
   * @param message what happened, with the file or the numbers concerned
   * @param advice what the reader can do about it, as a full sentence
   */
  constructor(
    readonly code: ModelErrorCode,
    message: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Any thrown value as a failure; what is not a `ModelError` is a defect and is named so. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ModelError) return { code: error.code, message: error.message, advice: error.advice };
  return {
    code: 'crashed',
    message: messageOf(error),
    advice: 'Restart the lane; if it happens again, reload the page and report it with the console output.',
  };
}

/** Message of any thrown value, cut to a length that fits a page. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.length > 500 ? `${text.slice(0, 500)}...` : text;
}
