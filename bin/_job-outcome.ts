import { isCompleted, readJobFacts } from "../lib/api/job-text.ts";
import { ReadbackError } from "../lib/errors.ts";

export interface JobSeen {
  readonly endpoint: string;
  readonly job: string;
  readonly status: string | null;
  /** The payload as it came. */
  readonly text: string;
}

/** What a COMPLETED job's payload holds that does not look like a success; null where there is nothing to say. */
export function doubtsAbout({ endpoint, job, status, text }: JobSeen): string | null {
  if (status === null || !isCompleted(status)) return null;
  const { outputHasError, hasOutput } = readJobFacts(text);
  if (outputHasError) return `WARN job ${job} is ${status}, but its output holds an error`;
  if (hasOutput) return null;
  return `WARN job ${job} is ${status} without an output; if its handler yields, its chunks are here while they are kept: readback serverless stream ${endpoint} ${job}`;
}

/** `--fail-on-output-error`: a handler's error in the output of a COMPLETED job counts as a failed job. */
export function outputError({ endpoint, job, status, text }: JobSeen): ReadbackError | null {
  if (status === null || !isCompleted(status) || !readJobFacts(text).outputHasError) return null;
  return new ReadbackError("job_failed", `job ${job} is ${status}, but its output holds an error`, {
    details: { jobId: job, endpoint, status },
  });
}
