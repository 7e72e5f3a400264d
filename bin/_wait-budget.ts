import { isReadbackError, ReadbackError } from "../lib/errors.ts";
import { durationText } from "../lib/wait/duration-text.ts";

/**
 * The error of a `run` whose budget was spent before anything was submitted: nothing goes on, so that it may be done again.
 * Any other error is given back as it is.
 */
export function nothingSubmitted<E>(
  error: E,
  { endpoint, waitMs, note }: { endpoint: string; waitMs: number; note: (text: string) => void },
): E | ReadbackError {
  if (!isReadbackError(error, "wait_timeout") || error.details["jobId"] !== undefined) return error;
  note(error.message);
  return new ReadbackError(
    "wait_timeout",
    `gave up within the ${durationText(waitMs)} to wait, before a job was submitted to ${JSON.stringify(endpoint)}; nothing was submitted`,
    { retryable: true, followUp: `readback serverless get ${endpoint}`, details: { endpoint }, cause: error },
  );
}
