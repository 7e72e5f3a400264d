import { drawFor } from "../random.ts";
import { freeWorker, workOf } from "./attempt.ts";
import { endJob, forgetJob, keepJob, leaveQueue } from "./ending.ts";
import { isOver, type WorldJob } from "./job.ts";
import type { Site } from "./site.ts";
import { logMessage } from "./worker-log.ts";

/** What a submission says. */
export interface Submission {
  /** JSON text. */
  readonly input: string;
  readonly isSync?: boolean;
  readonly webhook?: string | null;
  /** Milliseconds. */
  readonly executionTimeoutMs?: number | null;
  /** Milliseconds from the submission. @default 24 h */
  readonly ttlMs?: number | null;
  readonly lowPriority?: boolean;
}

const DEFAULT_TTL_MS = 24 * 3_600_000;

/** Puts a job at the end of the queue. */
export function submitJob(site: Site, submission: Submission): WorldJob {
  const { world, fleet, endpoint } = site;
  const now = site.clock.now();
  const { isSync = false, webhook = null, executionTimeoutMs = null, lowPriority = false } = submission;
  const job: WorldJob = {
    id: `${isSync ? "sync-" : ""}${world.newUuid()}${regionOf(endpoint.dataCenterIds[0])}`,
    ...{ endpointId: endpoint.id, isSync, input: submission.input, webhook, lowPriority, executionTimeoutMs },
    ...{ status: "IN_QUEUE", queuedAtMs: now, attempt: 0, retries: 0, startedAtMs: null, endedAtMs: null },
    ...{ workerId: null, output: null, error: null, chunks: [] },
    expiresAtMs: now + (submission.ttlMs ?? DEFAULT_TTL_MS),
    stopKeeping: () => {},
  };
  fleet.jobs.set(job.id, job);
  enqueue(site, job);
  return job;
}

/** Cancels a job that has not ended; the counts show it a little later. */
export function cancelJob(site: Site, job: WorldJob): void {
  const worker = site.fleet.workers.find((candidate) => candidate.job === job);
  if (job.status === "IN_QUEUE") settleLater(site, 1);
  leaveQueue(site, job);
  endJob(site, job, "CANCELLED");
  if (worker !== undefined && site.rules.cancelStopsHandler) {
    logMessage(site, worker, { text: "Stopping job.", requestId: job.id });
    logMessage(site, worker, { text: "Job stopped.", requestId: job.id });
    freeWorker(site, worker);
  }
  site.tend(site.fleet.endpointId);
}

/** Queues a failed job again, with its id and input; what it gave is dropped (runpod-api.md 3.1). */
export function retryJob(site: Site, job: WorldJob): void {
  const now = site.clock.now();
  const fresh = { startedAtMs: null, endedAtMs: null, workerId: null, output: null, error: null, retries: 0 };
  Object.assign(job, { ...fresh, status: "IN_QUEUE", queuedAtMs: now, chunks: [] });
  enqueue(site, job);
}

/** Clears the queue; running jobs go on. @returns how many jobs it removed */
export function purgeQueue(site: Site): number {
  const purged = [...site.fleet.queue];
  if (purged.length > 0) settleLater(site, purged.length);
  for (const job of purged) {
    leaveQueue(site, job);
    if (site.rules.purgedJobs === "CANCELLED") endJob(site, job, "CANCELLED");
    else forgetJob(site, job);
  }
  site.tend(site.fleet.endpointId);
  return purged.length;
}

/** Lets a running job end with what it would have given, at this moment. */
export function completeNow(site: Site, job: WorldJob): void {
  if (isOver(job)) return;
  const worker = site.fleet.workers.find((candidate) => candidate.job === job);
  leaveQueue(site, job);
  job.startedAtMs ??= site.clock.now();
  job.output = workOf(site, worker ?? null, job).output ?? null;
  endJob(site, job, "COMPLETED");
  if (worker !== undefined) freeWorker(site, worker);
}

function enqueue(site: Site, job: WorldJob): void {
  site.fleet.queue.push(job);
  keepJob(site, job);
  site.bell.ring();
  site.tend(site.fleet.endpointId);
}

function settleLater({ world, fleet, clock }: Site, jobs: number): void {
  const [min, max] = fleet.settings.settleMs;
  const drawn = drawFor(world.seed, `settle/${fleet.endpointId}/${clock.now()}`);
  fleet.unsettled.push({ jobs, untilMs: clock.now() + min + (max - min) * drawn });
}

/** `-u1` in America, `-e1` in Europe (runpod-api.md 3.3). */
function regionOf(dataCenterId: string | undefined): string {
  return dataCenterId?.startsWith("EU") ? "-e1" : "-u1";
}
