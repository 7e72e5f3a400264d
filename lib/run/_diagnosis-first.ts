import { listWorkers, readEndpoint } from "../api/control.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { type Health, parseHealth } from "../api/health.ts";
import { health } from "../api/invoke.ts";
import { parseEndpoint } from "../api/schema.ts";
import { parseWorkers, type WorkerList } from "../api/workers.ts";
import type { Done, Failed, JobRead, Read, Reads, Symptom } from "../diagnose/reads.ts";
import { type ErrorCode, ReadbackError } from "../errors.ts";
import { resolveByName } from "../resolve.ts";
import { settle } from "./_settle.ts";
import type { EngineParts } from "./engine-parts.ts";
import { readJob } from "./job-result.ts";

type Parts = Pick<EngineParts, "client" | "clock">;

export interface Question {
  /** Id or name. */
  readonly given: string;
  /** Id of a job, or null. */
  readonly job: string | null;
  readonly symptom: Symptom | null;
}

/** The reads that every diagnosis makes, and the endpoint they are of. */
export interface Asked {
  readonly given: string;
  readonly id: string;
  readonly reads: Reads;
}

interface Around {
  readonly health: Read<Health>;
  readonly workers: Read<WorkerList>;
  readonly job: Read<JobRead> | null;
}

/**
 * Reads config, health and workers side by side where the word may be an id; ids are letters and digits, so that for most
 * names nothing is asked in vain. A job that was asked about is read beside them.
 *
 * @throws the failures of all three, named with their status
 */
export async function firstReads(question: Question, parts: Parts): Promise<Asked> {
  const { given } = question;
  if (/^\w+$/.test(given)) {
    const [endpoint, around] = await Promise.all([byId(given, parts), readAround(given, question, parts)]);
    if (endpoint.ok || endpoint.code !== "not_found") return asked(question, endpoint, around);
  }
  const endpoint = await byIdOrName(given, parts);
  return asked(question, endpoint, await readAround(endpoint.value.id, question, parts));
}

async function byId(id: string, { client, clock }: Parts): Promise<Read<Endpoint>> {
  return await settle(async () => parseEndpoint((await readEndpoint(client, id)).text), clock);
}

/** An id may have other characters too: a word that is none so far is tried as one, unless it was. */
async function byIdOrName(given: string, parts: Parts): Promise<Done<Endpoint>> {
  const tried = /^\w+$/.test(given) ? null : await byId(given, parts);
  if (tried?.ok) return tried;
  if (tried !== null && tried.code !== "not_found") throw unreadable(given, [["endpoint", tried]]);
  const { text } = await resolveByName(parts.client, given);
  return { ok: true, at: new Date(parts.clock.now()).toISOString(), value: parseEndpoint(text) };
}

async function readAround(id: string, { job }: Question, { client, clock }: Parts): Promise<Around> {
  const [counts, workers, status] = await Promise.all([
    settle(async () => parseHealth((await health(client, id)).text), clock),
    settle(async () => parseWorkers((await listWorkers(client, id)).text), clock),
    job === null ? null : settle(async () => jobOf(await readJob(client, { endpoint: id, id: job })), clock),
  ]);
  return { health: counts, workers, job: status };
}

function jobOf(job: JobRead): JobRead {
  const { id, status, delayTimeMs, executionTimeMs, retries, workerId, error } = job;
  return { id, status, delayTimeMs, executionTimeMs, retries, workerId, error };
}

function asked({ given, symptom }: Question, endpoint: Read<Endpoint>, around: Around): Asked {
  const { health: counts, workers, job } = around;
  // A load balancer has no queue, and may have no counters: that is no failed read (case B197).
  const none = endpoint.ok && endpoint.value.type === "LOAD_BALANCER" && isMissing(counts);
  const failed = [
    ["endpoint", endpoint],
    ["health", none ? null : counts],
    ["workers", workers],
  ] as const;
  if (!endpoint.ok || !workers.ok || (!counts.ok && !none))
    throw unreadable(
      given,
      failed.flatMap(([read, done]) => (done === null || done.ok ? [] : [[read, done] as const])),
    );
  const rest = { logs: [], releases: null, catalog: null, billing: null, endpoints: null };
  const reads = { ...rest, endpoint, health: counts.ok ? [counts] : [], workers, job, symptom };
  return { given, id: endpoint.value.id, reads };
}

function isMissing(read: Read<unknown>): boolean {
  return !read.ok && (read.code === "not_found" || read.code === "bad_request");
}

/** A read that failed is no diagnosis: it is told, with each that failed and its status (case B68). */
function unreadable(given: string, failed: readonly (readonly [string, Failed])[]): ReadbackError {
  const words = failed.map(
    ([read, { status, code, error }]) => `${read}: ${status === null ? code : `HTTP ${status}`} (${error})`,
  );
  const [, first] = failed[0] ?? [];
  return new ReadbackError(
    first?.code ?? "api_error",
    `Cannot diagnose endpoint "${given}" without ${failed.map(([read]) => read).join(", ")}: ${words.join("; ")}`,
    {
      status: first?.status ?? null,
      retryable: failed.every(([, { code }]) => RETRYABLE.includes(code)),
      details: {
        endpoint: given,
        reads: failed.map(([read, { status, code }]) => ({ read, status, code })),
      },
    },
  );
}

const RETRYABLE: readonly ErrorCode[] = ["server_error", "network_error", "call_timeout", "rate_limited"];
