/** Errors of the lab and of the models as plain data, and back: comlink keeps of an error only its name and message. */
import { failureOf, type Failure } from '../../models';
import { LabError, type LabErrorCode } from '../../rollouts/lab';

/** Code, message and advice of anything that was thrown. */
export function failureIn(error: unknown): Failure {
  if (error instanceof LabError) return { code: error.code, message: error.message, advice: error.advice };
  return failureOf(error);
}

/** The error a failure was made of. */
export function errorOf({ code, message, advice }: Failure): LabError {
  return new LabError(code as LabErrorCode, message, advice);
}
