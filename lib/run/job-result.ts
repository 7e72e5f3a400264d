import type { LookClient } from "../api/client.ts";
import { readStatus } from "../api/invoke.ts";
import { readJobFacts, readJobState } from "../api/job-text.ts";
import { members } from "../api/json-text.ts";
import type { Job, JobResult } from "./job.ts";

/** Reads a job afresh. @throws not_found and what else a read can fail with */
export async function readJob(client: LookClient, job: Job): Promise<JobResult> {
  return jobResultOf(job, (await readStatus(client, job.endpoint, job.id)).text);
}

/** A job as a status reply tells it; the id is the one the job is known by, not the reply's. */
export function jobResultOf({ endpoint, id }: Job, text: string): JobResult {
  const { delayTimeMs, executionTimeMs, retries, workerId, error } = readJobFacts(text);
  return {
    endpoint,
    id,
    status: readJobState(text)?.status ?? "",
    text,
    output: outputOf(text),
    delayTimeMs,
    executionTimeMs,
    retries,
    workerId,
    error,
  };
}

function outputOf(text: string): unknown {
  const output = (members(text) ?? []).findLast(({ key }) => key === "output");
  return output === undefined ? undefined : (JSON.parse(output.value) as unknown);
}
