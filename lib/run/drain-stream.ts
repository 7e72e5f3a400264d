import type { ConsumeClient } from "../api/client.ts";
import { readStream } from "../api/invoke.ts";
import { isTerminal, readStreamReply } from "../api/job-text.ts";
import { compactJson } from "../api/json-text.ts";
import { withPayload } from "../api/payload-error.ts";
import type { Clock } from "../clock.ts";
import { isReadbackError, ReadbackError } from "../errors.ts";
import { durationText } from "../wait/duration-text.ts";
import { explainRead } from "../wait/job-errors.ts";
import type { StreamOptions, StreamResult } from "./engine.ts";
import type { Job } from "./job.ts";

/** How long the service is asked to hold an empty stream, and how long between two reads at least, in milliseconds. */
const HOLD_MS = 10_000;
const SPACING_MS = 500;
const DEFAULT_BUDGET_MS = 300_000;

export interface DrainParts {
  readonly client: ConsumeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Takes a job's chunks, each on one line as it was written, until the job has ended or the budget is spent.
 *
 * @throws wait_timeout, not_found, api_error, interrupted, and what a consuming read can fail with
 */
export async function drainStream(
  job: Job,
  options: StreamOptions,
  parts: DrainParts,
): Promise<StreamResult> {
  const { clock, signal } = parts;
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
  const endMs = clock.now() + budgetMs;
  let chunks = 0;
  for (;;) {
    const startedMs = clock.now();
    const { status, entries, text } = await readOnce(job, endMs - startedMs, parts);
    for (const entry of entries) options.onChunk(compactJson(entry));
    chunks += entries.length;
    // The last chunk may ride on the reply that says COMPLETED, so it was taken before this.
    if (status !== null && isTerminal(status)) return { chunks, status, text };
    if (clock.now() >= endMs) throw timedOut(job, budgetMs);
    const pauseMs = Math.max(0, startedMs + SPACING_MS - clock.now());
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
  }
}

async function readOnce(
  job: Job,
  leftMs: number,
  { client }: DrainParts,
): Promise<{ readonly status: string | null; readonly entries: readonly string[]; readonly text: string }> {
  const waitMs = Math.min(HOLD_MS, Math.max(1000, leftMs));
  const timeoutMs = waitMs + client.target.timeoutMs;
  const { text } = await readStream(client, job.endpoint, job.id, { waitMs, timeoutMs }).catch(
    (error: unknown) => {
      throw explained(error, job);
    },
  );
  const found = readStreamReply(text);
  if (found !== null) return { ...found, text };
  const what = `The stream of job ${job.id} answered with neither chunks nor a status`;
  const details = { jobId: job.id, endpoint: job.endpoint };
  throw withPayload("api_error", what, { details, payload: text });
}

function explained(error: unknown, { endpoint, id }: Job): unknown {
  return isReadbackError(error, "not_found") ? explainRead(error, { endpoint, job: id }, null) : error;
}

function timedOut(job: Job, budgetMs: number): ReadbackError {
  return new ReadbackError(
    "wait_timeout",
    `gave up on the stream of job ${job.id} after ${durationText(budgetMs)}; the job goes on`,
    {
      followUp: `readback serverless stream ${job.endpoint} ${job.id}`,
      details: { jobId: job.id, endpoint: job.endpoint },
    },
  );
}
