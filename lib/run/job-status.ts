import type { LookClient } from "../api/client.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { readJob } from "../wait/read-job.ts";

/** Reads a job's state afresh; null where the answer has none. @throws not_found, which says what it can mean, and others */
export async function jobStatusText(
  { endpoint, job }: Pick<JobMutation, "endpoint" | "job">,
  { client }: { readonly client: LookClient },
  options: { readonly timeoutMs?: number; readonly attempts?: number } = {},
): Promise<string | null> {
  return (await readJob(client, { endpoint, job: job ?? "" }, options)).status;
}

/** Only a job that failed or timed out can be retried (runpod-api.md 3.1). */
export function mayBeRetried(status: string): boolean {
  return ["FAILED", "TIMED_OUT"].includes(status.toUpperCase());
}
