import type { Health } from "../api/health.ts";
import type { Worker } from "../api/workers.ts";
import { type Facts, factsOf } from "./facts.ts";
import type { Reads } from "./reads.ts";
import { isDormant } from "./rules/_limit.ts";

/** What must still be read before the rules can speak; nothing for an endpoint where all is well. */
export interface Needs {
  /** A second sample, to tell draining, stuck and not dispatching apart. */
  readonly secondHealth: boolean;
  /** Workers whose log decides. */
  readonly logs: readonly string[];
  readonly catalog: boolean;
  readonly billing: boolean;
  readonly releases: boolean;
  readonly endpoints: boolean;
}

/** Reading more logs than this would say the same again. */
const MOST_LOGS = 4;

/** Says what the first reads leave open. */
export function needsOf(first: Reads): Needs {
  const facts = factsOf(first);
  const { endpoint, waiting, counts, inProgress, isLoadBalancer } = facts;
  const { min, max } = endpoint.workers;
  const logs = logsNeeded(facts);
  const asked = first.symptom === "queue" || first.symptom === "cold-start";
  const isShort = counts.throttled > 0 && counts.idle + counts.running < min;
  const trouble = waiting > 0 || logs.length > 0 || max === 0;
  const busy = waiting > 0 && !isLoadBalancer && inProgress > 0 && inProgress >= counts.running;
  return {
    secondHealth: (waiting > 0 && max > 0) || isUnready(facts),
    logs,
    catalog: (trouble || isShort || asked) && Boolean(endpoint.gpu) && !isLoadBalancer,
    billing: max === 0 || (max === 2 && busy) || (isDormant(facts) && !isLoadBalancer),
    releases: waiting > 0 && first.workers.value.workers.some(({ isStale }) => isStale),
    endpoints: busy,
  };
}

function logsNeeded(facts: Facts): readonly string[] {
  const { reads, job } = facts;
  const workers = [...reads.workers.value.workers].toSorted((a, b) => rank(a) - rank(b));
  const ran = job !== null && jobNeedsLog(facts) && job.workerId !== null ? [job.workerId] : [];
  const suspects = isSuspicious(facts) ? workers.map(({ id }) => id) : [];
  return [...new Set([...ran, ...suspects])].slice(0, MOST_LOGS);
}

/** How little a worker's log tells: those that fail or start first, those that wait for a host last, older versions behind. */
function rank({ status, isStale }: Worker): number {
  const order = ["UNHEALTHY", "INITIALIZING", "IDLE", "RUNNING", "THROTTLED"];
  return order.indexOf(status) + (isStale ? order.length : 0);
}

function jobNeedsLog({ job }: Facts): boolean {
  const status = job?.status.toUpperCase();
  return status === "FAILED" || status === "TIMED_OUT" || (job?.retries ?? 0) > 0;
}

/** Where logs can overturn what the counts say. */
function isSuspicious(facts: Facts): boolean {
  const { waiting, counts, health, endpoint, reads } = facts;
  if (counts.total === 0) return false;
  if (reads.symptom === "crash" || counts.unhealthy > 0 || (health?.workers.unhealthy ?? 0) > 0) return true;
  if (waiting > 0 && !isJustBusy(facts)) return true;
  if (isUnready(facts) || mostlyFails(health)) return true;
  return endpoint.workers.min > 0 && counts.initializing > 0 && counts.idle + counts.running === 0;
}

/** Every worker has a job: what waits, waits for them. */
function isJustBusy({ counts, inProgress }: Facts): boolean {
  return counts.running === counts.total && inProgress >= counts.running;
}

/** A load balancer whose workers run, and none is ready. */
function isUnready({ isLoadBalancer, counts, health }: Facts): boolean {
  if (!isLoadBalancer) return false;
  const running = Math.max(counts.running, health?.workers.running ?? 0);
  return running > 0 && health !== null && (health.workers.ready ?? 0) === 0;
}

/** The counters have no time: where more jobs failed or were handed out again than completed, it is worth a look. */
function mostlyFails(health: Health | null): boolean {
  const { failed = 0, retried = 0, completed = 0 } = health?.jobs ?? {};
  return failed + retried > completed;
}
