import type { ConsumeClient } from "../api/client.ts";
import { readStream } from "../api/invoke.ts";
import { isTerminal, readStreamReply, type StreamReply } from "../api/job-text.ts";
import { compactJson } from "../api/json-text.ts";
import { withPayload } from "../api/payload-error.ts";
import type { Clock } from "../clock.ts";
import { isReadbackError } from "../errors.ts";
import { readJob } from "../wait/read-job.ts";
import type { StreamOptions, StreamResult } from "./engine.ts";
import type { Job } from "./job.ts";
import { streamError, streamTimeout } from "./stream-errors.ts";

/** How long the service is asked to hold an empty stream, and how long between two reads at least, in milliseconds. */
const HOLD_MS = 10_000;
const SPACING_MS = 500;
const DEFAULT_BUDGET_MS = 300_000;

export interface DrainParts {
  readonly client: ConsumeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One reply of the stream, as it came and as it is read. */
interface Drained extends StreamReply {
  readonly text: string;
}

/** The job's end, by whichever read told it. */
interface End {
  readonly status: string;
  readonly text: string;
}

/**
 * Takes a job's chunks, each on one line as it was written, until the job has ended and nothing more comes, or the budget
 * is spent.
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
  let end: End | null = null;
  let last = "";
  for (;;) {
    const startedMs = clock.now();
    const reply: Drained = await (end === null
      ? readOnce(job, endMs - startedMs, parts)
      : readAfterEnd(job, parts));
    // A service that takes nothing away would give the last reply for ever.
    const entries: readonly string[] = end !== null && reply.text === last ? [] : reply.entries;
    for (const entry of entries) options.onChunk(compactJson(entry));
    chunks += entries.length;
    const known: End | null = endOf(reply) ?? end;
    // The last chunk may ride on the reply that says COMPLETED, and one may follow it: only an empty reply is the end.
    if (known !== null && entries.length === 0) return { chunks, ...known };
    const silent: boolean = entries.length === 0 && reply.status === null;
    end = silent ? await endFromStatus(job, parts) : known;
    last = reply.text;
    if (end === null && clock.now() >= endMs) throw streamTimeout(job, budgetMs);
    const pauseMs = Math.max(0, startedMs + SPACING_MS - clock.now());
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
  }
}

async function readOnce(job: Job, leftMs: number, { client }: DrainParts): Promise<Drained> {
  const waitMs = Math.min(HOLD_MS, Math.max(1000, leftMs));
  const timeoutMs = waitMs + client.target.timeoutMs;
  const { text } = await readStream(client, job.endpoint, job.id, { waitMs, timeoutMs }).catch(
    (error: unknown) => {
      throw streamError(error, job);
    },
  );
  const found = readStreamReply(text);
  if (found !== null) return { ...found, text };
  const what = `The stream of job ${job.id} answered with neither chunks nor a status`;
  const details = { jobId: job.id, endpoint: job.endpoint };
  throw withPayload("api_error", what, { details, payload: text });
}

/** An ended job's result may go with its last chunk: then there is nothing more. */
async function readAfterEnd(job: Job, parts: DrainParts): Promise<Drained> {
  return await readOnce(job, 0, parts).catch((error: unknown) => {
    if (isReadbackError(error, "not_found")) return { status: null, entries: [], text: "" };
    throw error;
  });
}

/** The bare array of the docs (runpod-api.md 3.4) says nothing about the job, so that an empty one may be its end. */
async function endFromStatus({ endpoint, id }: Job, { client, signal }: DrainParts): Promise<End | null> {
  return endOf(await readJob(client, { endpoint, job: id }, { signal }));
}

function endOf({ status, text }: { readonly status: string | null; readonly text: string }): End | null {
  return status !== null && isTerminal(status) ? { status, text } : null;
}
