import { JsonText } from "../json-text.ts";
import { delayMs, executionMs, isOver, type WorldJob } from "./job.ts";

/** A job as `/status` shows it: what the platform has, and nothing else (runpod-api.md 3.4). */
export function showJob(job: WorldJob): Record<string, unknown> {
  const hasRun = job.status !== "IN_QUEUE" && job.startedAtMs !== null;
  return {
    ...{ id: job.id, status: job.status },
    ...(hasRun ? { delayTime: delayMs(job) } : {}),
    ...(hasRun && isOver(job) ? { executionTime: executionMs(job) } : {}),
    ...(job.retries > 0 ? { retries: job.retries } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    ...(job.output === null ? {} : { output: new JsonText(job.output) }),
    ...(hasRun ? { workerId: job.workerId } : {}),
  };
}

/** The short form of submits, cancels and jobs that wait. */
export function showState({ id, status }: WorldJob): Record<string, unknown> {
  return { id, status };
}
