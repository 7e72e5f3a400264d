import type { LookClient } from "../api/client.ts";
import { isReadbackError } from "../errors.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { readJob } from "../wait/read-job.ts";

/** Reads a job's state afresh; null where the answer has none. @throws not_found, which says what it can mean, and others */
export async function jobStatusText(
  { endpoint, job }: Pick<JobMutation, "endpoint" | "job">,
  { client }: { readonly client: LookClient },
  options: { readonly timeoutMs?: number; readonly attempts?: number; readonly signal?: AbortSignal } = {},
): Promise<string | null> {
  return (await readJob(client, { endpoint, job: job ?? "" }, options)).status;
}

/**
 * Reads the state that a cancel looks at first; null also where `cancelReadMs` lets the cancel go on without it.
 *
 * @throws as jobStatusText
 */
export async function statusBeforeCancel(
  job: Pick<JobMutation, "endpoint" | "job">,
  parts: {
    readonly client: LookClient;
    readonly signal: AbortSignal;
    readonly cancelReadMs?: number | undefined;
  },
): Promise<string | null> {
  const { cancelReadMs, signal } = parts;
  if (cancelReadMs === undefined) return await jobStatusText(job, parts, { signal });
  try {
    return await jobStatusText(job, parts, { signal, timeoutMs: cancelReadMs, attempts: 1 });
  } catch (error) {
    if (isReadbackError(error) && error.retryable) return null;
    throw error;
  }
}

/** Only a job that failed or timed out can be retried (runpod-api.md 3.1). */
export function mayBeRetried(status: string): boolean {
  return ["FAILED", "TIMED_OUT"].includes(status.toUpperCase());
}
