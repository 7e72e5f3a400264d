import { type BillingQuery, billingServerless, parseBilling } from "../api/billing.ts";
import type { LookClient } from "../api/client.ts";
import { listEndpoints, listGpuTypes, listReleases } from "../api/control.ts";
import { parseHealth } from "../api/health.ts";
import { health } from "../api/invoke.ts";
import { parseReleases } from "../api/releases.ts";
import { parseEndpoints, parseGpuTypes } from "../api/schema.ts";
import { createStreamClient } from "../api/stream-client.ts";
import { needsOf } from "../diagnose/needs.ts";
import type { Done, Read, Reads, Symptom, WorkerLog } from "../diagnose/reads.ts";
import type { LogLine } from "../logs/log-line.ts";
import { readLogs } from "../logs/read-logs.ts";
import { type Asked, firstReads } from "./_diagnosis-first.ts";
import { settle } from "./_settle.ts";
import type { EngineParts } from "./engine-parts.ts";

export interface DiagnosisOptions {
  /** Id of a job to explain. */
  readonly job?: string | undefined;
  readonly symptom?: Symptom | undefined;
}

/** Between two samples of health: long enough for the queue to move, short enough for a person. */
const SAMPLE_MS = 5_000;
/** Logs are looked at for no longer than this in all. */
const LOGS_MS = 8_000;
const LOG_TAIL = 1_000;
/** Longer than the days after which the service lowers a limit (runpod-api.md 4.5), and the running one. */
const BILLED_DAYS = 9;

type Parts = Pick<EngineParts, "client" | "clientOptions" | "clock" | "signal" | "note">;

/**
 * Makes the reads of a diagnosis: config, health and workers side by side, and beyond that only what they leave open. It
 * looks, and never does anything else.
 *
 * @param given id or name of the endpoint
 * @throws what is named for each of config, health and workers that cannot be read; not_found, usage_error, interrupted
 */
export async function gatherReads(given: string, options: DiagnosisOptions, parts: Parts): Promise<Reads> {
  const { job, symptom = null } = options;
  const first = await firstReads({ given, job: job ?? null, symptom }, parts);
  const needs = needsOf(first.reads);
  const read = reader(parts);
  const [second, logs, catalog, billing, releases, endpoints] = await Promise.all([
    needs.secondHealth ? secondHealth(first, parts) : null,
    needs.logs.length > 0 ? gatherLogs(first.id, needs.logs, parts) : [],
    needs.catalog ? read((client) => listGpuTypes(client), parseGpuTypes) : null,
    needs.billing ? read((client) => billingServerless(client, billingQuery(first.id)), parseBilling) : null,
    needs.releases ? read((client) => listReleases(client, first.id), parseReleases) : null,
    needs.endpoints ? read((client) => listEndpoints(client), parseEndpoints) : null,
  ]);
  const samples = second === null ? first.reads.health : [...first.reads.health, second];
  return { ...first.reads, health: samples, logs, catalog, billing, releases, endpoints };
}

function reader(parts: Parts) {
  return async <T>(
    call: (client: LookClient) => Promise<{ readonly text: string }>,
    parse: (text: string) => T,
  ): Promise<Read<T>> => await settle(async () => parse((await call(parts.client)).text), parts.clock);
}

function billingQuery(endpoint: string): BillingQuery {
  return { endpoint, bucketSize: "day", lastN: BILLED_DAYS };
}

/** @throws what the read fails with: half a trend is none */
async function secondHealth(
  { id }: Asked,
  { client, clock, signal }: Parts,
): Promise<Done<ReturnType<typeof parseHealth>> | null> {
  await clock.sleep(SAMPLE_MS, signal).catch(() => {});
  const value = parseHealth((await health(client, id)).text);
  return { ok: true, at: new Date(clock.now()).toISOString(), value };
}

async function gatherLogs(
  endpoint: string,
  workers: readonly string[],
  parts: Parts,
): Promise<readonly WorkerLog[]> {
  const { client, clientOptions, clock, signal } = parts;
  const lines: LogLine[] = [];
  const results = await readLogs({
    endpoint,
    workers,
    query: { tail: LOG_TAIL },
    client: createStreamClient(client.target, { ...clientOptions, signal }, client),
    clock,
    signal,
    maxWaitMs: LOGS_MS,
    onLines: (fresh) => lines.push(...fresh),
    onNote: () => {}, // a log that was lost is told in the diagnosis itself
  });
  const at = new Date(clock.now()).toISOString();
  return results.map(({ worker, error }) => {
    if (error !== null)
      return {
        worker,
        read: { ok: false, at, status: error.status, code: error.code, error: error.message },
      };
    return { worker, read: { ok: true, at, value: lines.filter(({ workerId }) => workerId === worker) } };
  });
}
