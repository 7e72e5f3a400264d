import { endJob } from "./ending.ts";
import { isOver } from "./job.ts";
import { showHealth } from "./show-health.ts";
import type { Site } from "./site.ts";

/**
 * Ends what a deleted endpoint had: its jobs are cancelled, its workers are gone (runpod-api.md 2.6); `/health` says for
 * a moment what it said last (3.9).
 */
export function closeFleet(site: Site): void {
  const { world, fleet, clock, rules } = site;
  const untilMs = clock.now() + rules.healthAfterDeleteMs;
  world.graves.set(fleet.endpointId, { health: showHealth(site), untilMs });
  for (const job of fleet.jobs.values()) {
    if (!isOver(job)) endJob(site, job, "CANCELLED");
    job.stopKeeping();
  }
  fleet.stopLooking();
  world.fleets.delete(fleet.endpointId);
  site.bell.ring();
}
