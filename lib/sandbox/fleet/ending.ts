import { isOver, type JobStatus, type WorldJob } from "./job.ts";
import type { Site } from "./site.ts";

/** How long a result is kept after the end of its job, in milliseconds (runpod-api.md 3.5). */
const RESULT_MS = 30 * 60_000;
const SYNC_RESULT_MS = 60_000;

/** Ends a job: counts it, tells its webhook, and keeps the result for as long as the service does. */
export function endJob(site: Site, job: WorldJob, status: JobStatus): void {
  job.status = status;
  job.endedAtMs = site.clock.now();
  const { counts } = site.fleet;
  if (status === "COMPLETED") counts.completed += 1;
  if (status === "FAILED" || status === "TIMED_OUT") counts.failed += 1;
  keepJob(site, job);
  site.notify(job);
  site.bell.ring();
}

/** Keeps a job until its time to live is over, or, once it has ended, its retention. */
export function keepJob(site: Site, job: WorldJob): void {
  job.stopKeeping();
  const retention = job.isSync ? SYNC_RESULT_MS : RESULT_MS;
  const untilMs =
    job.endedAtMs === null ? job.expiresAtMs : Math.min(job.expiresAtMs, job.endedAtMs + retention);
  job.stopKeeping = site.clock.at(untilMs, () => expire(site, job));
}

/** Forgets a job whole: its status is 404 from now on. */
export function forgetJob(site: Site, job: WorldJob): void {
  job.stopKeeping();
  leaveQueue(site, job);
  site.fleet.jobs.delete(job.id);
  site.bell.ring();
}

/** Takes a job out of the queue. */
export function leaveQueue({ fleet }: Site, job: WorldJob): void {
  const index = fleet.queue.indexOf(job);
  if (index >= 0) fleet.queue.splice(index, 1);
}

/** The time to live is hard: a running job goes too (runpod-api.md 3.5). */
function expire(site: Site, job: WorldJob): void {
  if (!site.fleet.jobs.has(job.id)) return;
  const isTimedOut = job.status === "IN_QUEUE" && site.rules.expiresInQueue === "TIMED_OUT";
  if (!isTimedOut) {
    const wasRunning = !isOver(job);
    forgetJob(site, job);
    if (wasRunning) letGo(site, job);
    return;
  }
  leaveQueue(site, job);
  job.expiresAtMs = Number.MAX_SAFE_INTEGER; // what is left is a result like any other
  endJob(site, job, "TIMED_OUT");
  site.tend(site.fleet.endpointId);
}

/** Frees the worker of a job that is no more. */
function letGo(site: Site, job: WorldJob): void {
  const worker = site.fleet.workers.find((candidate) => candidate.job === job);
  if (worker === undefined) return;
  worker.job = null;
  worker.idleSinceMs = site.clock.now();
  site.tend(site.fleet.endpointId);
}
