import type { LookClient } from "../api/client.ts";
import { readStatus } from "../api/invoke.ts";
import { isReadbackError, type ReadbackError } from "../errors.ts";
import { readingOf, throwNoJob } from "./_read-job.ts";
import { explainRead, jobFailed } from "./job-errors.ts";

/** A job as it is now. */
export interface JobNow {
  /** As it came. */
  readonly text: string;
  /** Null where the reply has none. */
  readonly status: string | null;
  /** job_failed, with the payload, for a job that has ended as anything but COMPLETED. */
  readonly error: ReadbackError | null;
}

/**
 * Reads a job once, without waiting; what passes by itself is tried again like any look.
 *
 * @throws not_found, which says what it can mean; api_error, with the payload, when the answer has neither id nor status
 */
export async function readJob(
  client: LookClient,
  name: { readonly endpoint: string; readonly job: string },
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number; readonly attempts?: number } = {},
): Promise<JobNow> {
  try {
    const reply = await readStatus(client, name.endpoint, name.job, options);
    const { text, status } = readingOf(reply) ?? throwNoJob(reply, name.job);
    return { text, status, error: jobFailed(name, { text, status }) };
  } catch (error) {
    throw isReadbackError(error) && error.code !== "usage_error" ? explainRead(error, name, null) : error;
  }
}
