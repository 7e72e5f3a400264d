import { ReadbackError } from "../errors.ts";
import { durationText } from "../wait/duration-text.ts";
import { explainRead } from "../wait/job-errors.ts";
import type { Job } from "./job.ts";

/** These say nothing about the job, and asking for the rest would meet the same. */
const NOT_ABOUT_THE_JOB: readonly ReadbackError["code"][] = [
  "interrupted",
  "no_credentials",
  "unauthorized",
  "forbidden",
  "usage_error",
];

/** Names the job in what a read of its stream failed with, and the command that takes what is left. */
export function streamError(error: unknown, job: Job): unknown {
  if (!(error instanceof ReadbackError) || NOT_ABOUT_THE_JOB.includes(error.code)) return error;
  const { code, message, retryable, status, details } = error;
  const followUp = error.followUp ?? followUpOf(job);
  const named = new ReadbackError(code, message, { retryable, status, followUp, details, cause: error });
  return explainRead(named, { endpoint: job.endpoint, job: job.id }, null);
}

/** The error of a stream whose budget is spent: nothing is lost, the rest is handed out by the next call. */
export function streamTimeout(job: Job, budgetMs: number): ReadbackError {
  return new ReadbackError(
    "wait_timeout",
    `gave up on the stream of job ${job.id} after ${durationText(budgetMs)}; the job goes on`,
    { followUp: followUpOf(job), details: { jobId: job.id, endpoint: job.endpoint } },
  );
}

function followUpOf({ endpoint, id }: Job): string {
  return `readback serverless stream ${endpoint} ${id}`;
}
