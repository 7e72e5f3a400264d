import { ReadbackError } from "../errors.ts";
import type { Target } from "../target.ts";
import type { CallOptions, ConsumeClient, LookClient, PreparedChange, Reply } from "./client.ts";
import { describeBody } from "./describe-body.ts";
import { isJson } from "./json-text.ts";
import { matchRoute } from "./routes.ts";
import { joinUrl, segment } from "./url.ts";

type ReadOptions = Omit<CallOptions, "what">;

/** A read that the service may hold back for a while. */
export interface HoldOptions extends ReadOptions {
  /** How long it is asked to hold, in whole milliseconds; the service takes 1000 to 300000. */
  readonly waitMs: number;
}

/**
 * Reads the counts of jobs and workers of an endpoint; the body is passed on as it came. It says nothing about whether
 * the endpoint exists: it answers for one just deleted, and may not for one just created (runpod-api.md 3.9).
 *
 * @throws api_error when a success is no JSON; not_found and what else `look` throws
 */
export async function health(client: LookClient, id: string, options: ReadOptions = {}): Promise<Reply> {
  const what = `read the health of endpoint "${id}"`;
  const path = `/${segment(id, "endpoint id")}/health`;
  const reply = await explainMissing(client.look(path, { ...options, plane: "invoke", what }), id);
  if (isJson(reply.text)) return reply;
  const text = `Cannot ${what}: the answer (HTTP ${reply.status}) is ${describeBody(reply)} instead of JSON`;
  throw new ReadbackError("api_error", text, { status: reply.status });
}

/** Reads a job's status at once; never with `ttl`, which would change how long it lives (runpod-api.md 3.1). */
export async function readStatus(
  client: LookClient,
  id: string,
  job: string,
  options: ReadOptions = {},
): Promise<Reply> {
  const what = `read the status of job "${job}"`;
  return await client.look(jobPath(id, "status", job), { ...options, plane: "invoke", what });
}

/**
 * Reads a job's status when it has ended, or when `waitMs` is over. The route is known from the official JavaScript SDK
 * alone (runpod-api.md 3.1): be ready for any answer.
 */
export async function holdStatus(
  client: LookClient,
  id: string,
  job: string,
  options: HoldOptions,
): Promise<Reply> {
  const { waitMs, ...rest } = options;
  const what = `wait for job "${job}"`;
  const query = { wait: wholeMs(waitMs) };
  return await client.look(jobPath(id, "status-sync", job), { ...rest, plane: "invoke", query, what });
}

/**
 * Takes the chunks out of a job's stream that came since the last time; the service hands each out once, and an empty
 * stream is held for a while, 10 s where `waitMs` does not say (runpod-api.md 3.1).
 *
 * @throws what `consume` throws: when the reply got lost, the chunks in it are too
 */
export async function readStream(
  client: ConsumeClient,
  id: string,
  job: string,
  options: ReadOptions & { readonly waitMs?: number } = {},
): Promise<Reply> {
  const { waitMs, ...rest } = options;
  const what = `read the stream of job "${job}"`;
  const query = waitMs === undefined ? {} : { wait: wholeMs(waitMs) };
  return await client.consume(jobPath(id, "stream", job), { ...rest, query, what });
}

/** Makes the submit of a job; `body` is the envelope as it is sent, byte for byte. */
export function prepareRun(target: Target, id: string, body: string): PreparedChange {
  return prepare(target, `/${segment(id, "endpoint id")}/run`, body);
}

/** Makes the cancel of a queued or running job. */
export function prepareCancel(target: Target, id: string, job: string): PreparedChange {
  return prepare(target, jobPath(id, "cancel", job), "");
}

/** Makes the retry of a failed or timed out job, which drops its output (runpod-api.md 3.1). */
export function prepareRetry(target: Target, id: string, job: string): PreparedChange {
  return prepare(target, jobPath(id, "retry", job), "");
}

/** Makes the purge of an endpoint's queue: all jobs that wait; running ones go on. */
export function preparePurge(target: Target, id: string): PreparedChange {
  return prepare(target, `/${segment(id, "endpoint id")}/purge-queue`, "");
}

function jobPath(id: string, operation: string, job: string): string {
  return `/${segment(id, "endpoint id")}/${operation}/${segment(job, "job id")}`;
}

function prepare(target: Target, path: string, body: string): PreparedChange {
  const route = matchRoute("invoke", "POST", path);
  if (route === null) throw new ReadbackError("usage_error", `${path} is no operation of the invoke plane`);
  return { method: "POST", url: joinUrl(target.invokeUrl, path), body, route };
}

function wholeMs(waitMs: number): string {
  return `${Math.max(1_000, Math.min(300_000, Math.floor(waitMs)))}`;
}

/** A 404 of health is no proof of anything. */
async function explainMissing(reading: Promise<Reply>, id: string): Promise<Reply> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ReadbackError) || error.code !== "not_found") throw error;
    const text = `${error.message}; health does not decide whether an endpoint exists: one just created may have none yet`;
    const followUp = `readback serverless get ${id}`;
    throw new ReadbackError("not_found", text, {
      status: 404,
      followUp,
      details: error.details,
      cause: error,
    });
  }
}
