import { SANDBOX_ENDPOINTS } from "./data/endpoints.ts";
import { SANDBOX_HANDLERS } from "./data/handlers.ts";
import { submitJob } from "./fleet/jobs.ts";
import { leaveThrottled } from "./fleet/lifecycle.ts";
import { fleetOf, type Stage, siteOf } from "./fleet/site.ts";
import { tendAll } from "./fleet/tend.ts";
import { applyPatch } from "./patch/apply.ts";
import { addRelease, storeChange } from "./patch/release.ts";
import type { PastEvent, Scenario } from "./scenarios/scenario.ts";
import type { World, WorldEndpoint } from "./world.ts";

/** How long the minimum workers have been there at the start. */
const MINIMUM_SINCE_MS = 3_600_000;

/**
 * Puts the endpoints of a scenario into a world, each with its first and its latest release, and lets what happened before
 * the start happen.
 */
export function populate(stage: Stage, scenario: Scenario): void {
  const { world, clock, rules } = stage;
  for (const [place, level] of Object.entries(scenario.stock ?? {})) world.stock.set(place, level);
  for (const healthy of SANDBOX_ENDPOINTS) {
    const endpoint = applyPatch(healthy, scenario.changes[healthy.id] ?? {}, rules);
    world.endpoints.set(endpoint.id, endpoint);
    addPast(world, endpoint);
    const { settings } = fleetOf(world, endpoint.id);
    settings.handler = SANDBOX_HANDLERS[endpoint.id] ?? settings.handler;
    Object.assign(settings, scenario.fleets?.[endpoint.id]);
  }
  const start = clock.now();
  clock.at(start - MINIMUM_SINCE_MS, () => tendAll(stage));
  for (const event of scenario.past ?? []) {
    clock.at(start - event.secondsAgo * 1000, () => relive(stage, event));
  }
  clock.advance(0);
}

function addPast(world: World, endpoint: WorldEndpoint): void {
  const { createdAt, version, image } = endpoint;
  addRelease(world, { ...endpoint, version: 1 }, [], { userId: "user_sandbox", at: createdAt });
  if (version === 1) return;
  const at = new Date(Date.parse(createdAt) + 21 * 86_400_000).toISOString();
  const diff = [{ field: "template.imageName", old: image.replace(/\d+$/, "0"), new: image }];
  addRelease(world, endpoint, diff, { userId: "user_sandbox", at });
}

function relive(stage: Stage, event: PastEvent): void {
  const site = siteOf(stage, event.endpoint);
  if (site === null) return;
  const { world, clock, rules } = stage;
  if ("leavesThrottledRecord" in event) leaveThrottled(site);
  else if ("submit" in event) {
    for (let n = 0; n < (event.jobs ?? 1); n++) submitJob(site, { input: JSON.stringify(event.submit) });
  } else {
    const author = { userId: "user_sandbox", at: new Date(clock.now()).toISOString() };
    storeChange(world, applyPatch(site.endpoint, event.patch, rules), { author, rules });
    stage.tend(event.endpoint);
  }
}
