import type { Work } from "../handlers/handler.ts";
import { findHandler } from "../handlers/registry.ts";
import { isObject } from "../schema.ts";
import { endJob } from "./ending.ts";
import type { WorldJob } from "./job.ts";
import { stopWorker } from "./lifecycle.ts";
import { later, type Site } from "./site.ts";
import type { FleetWorker } from "./worker.ts";
import { logContainer, logMessage } from "./worker-log.ts";

/** When the platform gives a silent worker's job to a worker again (runpod-api.md 4.7). */
const FIRST_SILENCE_MS = 40_000;
/** When it gives the job up after that. */
const LAST_SILENCE_MS = 42_078;

/** Lets a worker take a job: what its handler will do comes true on the clock. */
export function attempt(site: Site, worker: FleetWorker, job: WorldJob): void {
  const now = site.clock.now();
  Object.assign(job, {
    status: "IN_PROGRESS",
    startedAtMs: now,
    endedAtMs: null,
    workerId: worker.id,
    output: null,
  });
  job.attempt += 1;
  worker.job = job;
  worker.idleSinceMs = null;
  const work = workOf(site, worker, job);
  logMessage(site, worker, { text: "Jobs in queue: 1" });
  const { attempt: n } = job;
  const whileMine = (ms: number, happen: () => void) =>
    later(site, ms, () => {
      if (worker.job === job && job.attempt === n) happen();
    });
  if (work.ms === null)
    whileMine(job.retries === 0 ? FIRST_SILENCE_MS : LAST_SILENCE_MS, () => giveUp(site, worker, job));
  else playOut(site, worker, { job, work, whileMine });
  const limitMs = job.executionTimeoutMs ?? site.endpoint.timeout;
  if (limitMs > 0) whileMine(limitMs, () => overrun(site, worker, job));
}

/** Ends the work of a worker, which is free from now on. */
export function freeWorker(site: Site, worker: FleetWorker): void {
  worker.job = null;
  worker.idleSinceMs = site.clock.now();
  site.tend(site.fleet.endpointId);
}

/** What the endpoint's handler will do with a job. @throws RangeError - there is no such handler */
export function workOf(site: Site, worker: FleetWorker | null, job: WorldJob): Work {
  const parsed: unknown = JSON.parse(job.input);
  const options = isObject(parsed) ? parsed : {};
  if (Object.keys(options).length === 0 && site.fleet.settings.emptyInput === "refuses") {
    const text =
      "Failed to get job. | Error Type: Exception | Error Message: Job has missing field(s): id or input.";
    if (worker !== null) logMessage(site, worker, { text, level: "ERROR" });
    return { ms: null };
  }
  return findHandler(site.fleet.settings.handler)({
    jobId: job.id,
    input: job.input,
    options,
    workerId: worker?.id ?? "",
  });
}

interface Play {
  readonly job: WorldJob;
  readonly work: Work;
  readonly whileMine: (ms: number, happen: () => void) => void;
}

function playOut(site: Site, worker: FleetWorker, { job, work, whileMine }: Play): void {
  logMessage(site, worker, { text: "Jobs in progress: 1" });
  logMessage(site, worker, { text: "Started.", requestId: job.id });
  for (const { atMs, json } of (work.chunks ?? []).filter((chunk) => !isLast(chunk, work))) {
    whileMine(atMs, () => {
      if (job.status === "IN_PROGRESS") job.chunks.push(json);
      site.bell.ring();
    });
  }
  for (const { atMs, json } of work.progress ?? []) {
    whileMine(atMs, () => {
      if (job.status === "IN_PROGRESS") job.output = json;
    });
  }
  whileMine(work.ms ?? 0, () => finish(site, worker, { job, work }));
}

/** A job that was cancelled meanwhile stays so; its worker only now has time. */
function finish(site: Site, worker: FleetWorker, { job, work }: { job: WorldJob; work: Work }): void {
  for (const line of work.lines ?? []) logContainer(site, worker, line);
  if (job.status === "IN_PROGRESS") {
    const last = (work.chunks ?? []).filter((chunk) => isLast(chunk, work));
    job.chunks.push(...last.map(({ json }) => json));
    job.output = work.output ?? null;
    job.error = work.error ?? null;
    logMessage(site, worker, { text: "Finished.", requestId: job.id });
    endJob(site, job, work.error === undefined ? "COMPLETED" : "FAILED");
  }
  freeWorker(site, worker);
}

/** What is yielded as the handler ends rides on COMPLETED (runpod-api.md 3.4). */
function isLast({ atMs }: { readonly atMs: number }, { ms }: Work): boolean {
  return ms !== null && atMs >= ms;
}

/** Nothing was heard of a job: another try, then the end (runpod-api.md 4.7). */
function giveUp(site: Site, worker: FleetWorker, job: WorldJob): void {
  if (job.status === "IN_PROGRESS" && job.retries === 0) {
    job.retries = 1;
    job.status = "IN_QUEUE";
    site.fleet.counts.retried += 1;
    site.fleet.queue.unshift(job);
  } else if (job.status === "IN_PROGRESS") {
    job.error = `job timed out after ${job.retries} retries`;
    endJob(site, job, "FAILED");
  }
  freeWorker(site, worker);
}

/** The execution timeout ends the job and stops its worker (runpod-api.md 3.5). */
function overrun(site: Site, worker: FleetWorker, job: WorldJob): void {
  const status = site.rules.executionTimeout;
  if (status === "FAILED") job.error = "executionTimeout exceeded";
  if (job.status === "IN_PROGRESS") endJob(site, job, status);
  worker.job = null;
  stopWorker(site, worker);
  site.tend(site.fleet.endpointId);
}
