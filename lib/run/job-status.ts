import type { LookClient } from "../api/client.ts";
import { readStatus } from "../api/invoke.ts";
import { readJobState } from "../api/job-text.ts";
import type { JobMutation } from "../plan/job-mutation.ts";

/** Reads a job's state afresh; null where the answer has none. @throws not_found and what else a read can fail with */
export async function jobStatusText(
  { endpoint, job }: Pick<JobMutation, "endpoint" | "job">,
  { client }: { readonly client: LookClient },
): Promise<string | null> {
  return readJobState((await readStatus(client, endpoint, job ?? "", {})).text)?.status ?? null;
}

/** Only a job that failed or timed out can be retried (runpod-api.md 3.1). */
export function mayBeRetried(status: string): boolean {
  return ["FAILED", "TIMED_OUT"].includes(status.toUpperCase());
}
