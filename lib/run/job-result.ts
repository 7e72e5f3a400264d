import type { LookClient } from "../api/client.ts";
import { readJobFacts, readJobState } from "../api/job-text.ts";
import { members } from "../api/json-text.ts";
import { readJob as readJobNow } from "../wait/read-job.ts";
import type { Job, JobResult } from "./job.ts";

/** Reads a job afresh. @throws not_found, which says what it can mean, and what else a read can fail with */
export async function readJob(client: LookClient, job: Job): Promise<JobResult> {
  const { text } = await readJobNow(client, { endpoint: job.endpoint, job: job.id });
  return jobResultOf(job, text);
}

/** A job as a status reply tells it; the id is the one the job is known by, not the reply's. */
export function jobResultOf({ endpoint, id }: Job, text: string): JobResult {
  const { delayTimeMs, executionTimeMs, retries, workerId, error } = readJobFacts(text);
  let output: { readonly value: unknown } | null = null;
  return {
    endpoint,
    id,
    status: readJobState(text)?.status ?? "",
    text,
    // A large output costs several times its size as a value, and often only its text is wanted.
    get output() {
      output ??= { value: outputOf(text) };
      return output.value;
    },
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
