import { attempt } from "./attempt.ts";
import { later, type Site } from "./site.ts";
import { type FleetWorker, isStale } from "./worker.ts";

/** Lets free workers take what waits, a moment later. Calling it again changes nothing. */
export function planDispatch(site: Site): void {
  const { fleet } = site;
  if (fleet.dispatchPlanned || fleet.queue.length === 0 || freeWorkers(site).length === 0) return;
  fleet.dispatchPlanned = true;
  later(site, fleet.settings.pickUpMs, () => {
    fleet.dispatchPlanned = false;
    for (const worker of freeWorkers(site)) {
      const job = fleet.queue.shift();
      if (job !== undefined) attempt(site, worker, job);
    }
    site.tend(fleet.endpointId);
  });
}

/** New requests prefer new workers (runpod-api.md 2.7). */
function freeWorkers({ fleet, endpoint }: Site): readonly FleetWorker[] {
  if (!fleet.settings.dispatches || endpoint.type === "LOAD_BALANCER") return [];
  return fleet.workers
    .filter(({ state, job, isStopping }) => state === "READY" && job === null && !isStopping)
    .toSorted((a, b) => Number(isStale(a, endpoint)) - Number(isStale(b, endpoint)));
}
