import { showSummary } from "./show-workers.ts";
import type { Site } from "./site.ts";

/** The body of `/health`, with the six worker counters seen live (runpod-api.md 3.4). */
export function showHealth(site: Site): Record<string, Record<string, number>> {
  const { fleet } = site;
  const { running = 0, idle = 0, initializing = 0, throttled = 0, unhealthy = 0 } = showSummary(site);
  const inProgress = [...fleet.jobs.values()].filter(({ status }) => status === "IN_PROGRESS").length;
  const { completed, failed, retried } = fleet.counts;
  return {
    jobs: { completed, failed, inProgress, inQueue: fleet.queue.length + unsettled(site), retried },
    workers: { idle, initializing, ready: readyOf(site), running, throttled, unhealthy },
  };
}

/** Ready are idle workers and FlashBoot copies, never the minimum ones; of a load balancer those that answer (4.1). */
function readyOf(site: Site): number {
  const { fleet, endpoint, clock, rules } = site;
  const now = clock.now();
  if (endpoint.type === "LOAD_BALANCER") return fleet.workers.filter(({ state }) => state === "READY").length;
  const parked = rules.readyCountsParked ? fleet.parked.filter((untilMs) => untilMs > now).length : 0;
  return (showSummary(site)["idle"] ?? 0) + parked;
}

function unsettled({ fleet, clock }: Site): number {
  const now = clock.now();
  fleet.unsettled = fleet.unsettled.filter(({ untilMs }) => untilMs > now);
  return fleet.unsettled.reduce((sum, { jobs }) => sum + jobs, 0);
}
