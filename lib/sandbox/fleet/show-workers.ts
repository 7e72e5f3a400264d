import type { Site } from "./site.ts";
import { type FleetWorker, isStale, statusesOf, type WorkerStatus } from "./worker.ts";

const STATUSES: readonly WorkerStatus[] = ["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"];

/** The workers of an endpoint as the API lists them (runpod-api.md 2.8). */
export function showWorkers(site: Site): readonly Record<string, unknown>[] {
  const { fleet, endpoint } = site;
  return [...statusesOf(fleet.workers, endpoint)].map(([worker, status]) => ({
    ...{ id: worker.id, status, isStale: isStale(worker, endpoint), version: worker.version },
    ...{ gpuCount: worker.gpuCount, image: worker.image },
    ...(site.rules.showsUptime ? { uptimeSeconds: uptimeSeconds(site, worker) } : {}),
    ...{ gpuTypeId: worker.gpuTypeId, dataCenterId: worker.dataCenterId },
    startedAt: worker.startedAtMs === null ? null : new Date(worker.startedAtMs).toISOString(),
  }));
}

/** How many workers there are of each status; the counts add up to the list. */
export function showSummary({ fleet, endpoint }: Site): Record<string, number> {
  const statuses = [...statusesOf(fleet.workers, endpoint).values()];
  const counts = STATUSES.map((status) => [
    status.toLowerCase(),
    statuses.filter((other) => other === status).length,
  ]);
  return { ...Object.fromEntries(counts), total: statuses.length };
}

function uptimeSeconds({ clock }: Site, { startedAtMs }: FleetWorker): number | null {
  return startedAtMs === null ? null : Math.floor((clock.now() - startedAtMs) / 1000);
}
