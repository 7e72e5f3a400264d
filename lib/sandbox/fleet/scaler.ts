import { staffOf } from "./fleet.ts";
import type { WorldJob } from "./job.ts";
import { startWorker, stopWorker } from "./lifecycle.ts";
import type { Site } from "./site.ts";
import { containerOf, type FleetWorker } from "./worker.ts";

/**
 * Brings the number of an endpoint's workers to what its scaler wants at this moment (runpod-api.md 4.2), replaces those
 * of an older container (2.7), and looks again when time alone would change the answer.
 */
export function scale(site: Site): void {
  roll(site);
  keepLimit(site);
  dropIdle(site);
  const target = targetOf(site);
  for (let n = staffOf(site.fleet).length; n < target; n++) startWorker(site);
  lookAgain(site);
}

/** Stale idle workers are replaced at once, busy ones once their job has ended. */
function roll(site: Site): void {
  const { endpoint, fleet, rules } = site;
  const staff = staffOf(fleet);
  if (staff.length === 0) return;
  const present = containerOf(endpoint, rules.rolledFields);
  const old = staff.filter(({ container, job }) => container !== present && job === null);
  if (old.length > 0) fleet.parked = [];
  for (const worker of old) {
    const isReplaced = worker.state !== "THROTTLED";
    stopWorker(site, worker);
    if (isReplaced && staffOf(site.fleet).length < endpoint.workers.max) startWorker(site);
  }
}

/** A lowered limit ends idle workers at once; busy ones finish first. */
function keepLimit(site: Site): void {
  const staff = staffOf(site.fleet);
  const excess = staff.length - site.endpoint.workers.max;
  if (excess <= 0) return;
  const order = ["THROTTLED", "UNHEALTHY", "INITIALIZING", "READY"];
  const idle = staff.filter(({ job }) => job === null);
  const first = idle.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  for (const worker of first.slice(0, excess)) stopWorker(site, worker);
}

function dropIdle(site: Site): void {
  if (site.fleet.queue.length > 0) return;
  const now = site.clock.now();
  const wanted = Math.max(site.endpoint.workers.min, wantedByQueue(site));
  for (const worker of staffOf(site.fleet).toReversed()) {
    const isSpare = staffOf(site.fleet).length > site.endpoint.workers.min;
    if (isSpare && idleEndsAt(site, worker) <= now) stopWorker(site, worker);
    else if (worker.state === "THROTTLED" && staffOf(site.fleet).length > wanted) stopWorker(site, worker);
  }
}

function targetOf(site: Site): number {
  const { min, max } = site.endpoint.workers;
  return Math.min(max, Math.max(min, wantedByQueue(site)));
}

function wantedByQueue(site: Site): number {
  const { endpoint, fleet } = site;
  if (endpoint.type === "LOAD_BALANCER") return 0;
  const waiting = noticed(site, site.clock.now());
  if (endpoint.scaling.type === "QUEUE_DELAY")
    return wantedByDelay(site, waiting, endpoint.scaling.queueDelay * 1000);
  const running = [...fleet.jobs.values()].filter((job) => job.status === "IN_PROGRESS" && !job.lowPriority);
  return Math.ceil((waiting.length + running.length) / endpoint.scaling.requestCount);
}

/** One worker at a time, none while another is starting or has nothing to do: the real step is not documented. */
function wantedByDelay(site: Site, waiting: readonly WorldJob[], delayMs: number): number {
  const { clock, fleet, rules } = site;
  const staff = staffOf(site.fleet);
  const [oldest] = waiting;
  if (oldest === undefined) return staff.filter(({ job }) => job !== null).length;
  if (staff.length === 0 && rules.scaleFromZero === "at once") return 1;
  const now = clock.now();
  const isDue = now - oldest.queuedAtMs >= delayMs && now - fleet.lastScaledAtMs >= delayMs;
  const isHelpNear = staff.some(
    ({ state, job }) => state === "INITIALIZING" || (state === "READY" && job === null),
  );
  return isDue && !isHelpNear ? staff.length + 1 : staff.length;
}

/** Jobs in the queue that count for the scaler and that it has noticed, oldest first. */
function noticed({ fleet }: Site, now: number): readonly WorldJob[] {
  const { scalerDelayMs } = fleet.settings;
  return fleet.queue.filter((job) => !job.lowPriority && now - job.queuedAtMs >= scalerDelayMs);
}

function idleEndsAt({ endpoint }: Site, { idleSinceMs }: FleetWorker): number {
  return idleSinceMs === null ? Number.POSITIVE_INFINITY : idleSinceMs + endpoint.workers.idleTimeout * 1000;
}

function lookAgain(site: Site): void {
  const { clock, fleet } = site;
  fleet.stopLooking();
  const now = clock.now();
  const next = Math.min(...lookTimes(site).filter((time) => time > now));
  fleet.stopLooking = Number.isFinite(next) ? clock.at(next, () => site.tend(fleet.endpointId)) : () => {};
}

/** When the passing of time alone may change what the scaler wants. */
function lookTimes(site: Site): readonly number[] {
  const { endpoint, fleet } = site;
  const { scaling } = endpoint;
  const delayMs = scaling.type === "QUEUE_DELAY" ? scaling.queueDelay * 1000 : 0;
  const queue = fleet.queue.filter(({ lowPriority }) => !lowPriority);
  return [
    ...staffOf(site.fleet).map((worker) => idleEndsAt(site, worker)),
    ...queue.slice(0, 1).map(({ queuedAtMs }) => queuedAtMs + delayMs),
    ...(queue.length > 0 ? [fleet.lastScaledAtMs + delayMs] : []),
    ...(fleet.settings.scalerDelayMs > 0
      ? queue.map((job) => job.queuedAtMs + fleet.settings.scalerDelayMs)
      : []),
  ];
}
