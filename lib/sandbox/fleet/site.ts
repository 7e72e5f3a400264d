import type { Bell } from "../bell.ts";
import type { SandboxClock } from "../clock.ts";
import type { InferredRules } from "../rules.ts";
import type { World, WorldEndpoint } from "../world.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import type { WorldJob } from "./job.ts";

/** What moves the fleets of a sandbox. */
export interface Stage {
  readonly world: World;
  readonly clock: SandboxClock;
  readonly bell: Bell;
  readonly rules: InferredRules;
  /** Tells the job's webhook that it has ended. */
  readonly notify: (job: WorldJob) => void;
  /** Scales and dispatches at an endpoint, where there still is one. */
  readonly tend: (endpointId: string) => void;
}

/** One endpoint's fleet with what moves it. */
export interface Site extends Stage {
  readonly fleet: Fleet;
  /** As it is at this moment. */
  readonly endpoint: WorldEndpoint;
}

/** The site of an endpoint, or null where there is none of that id. */
export function siteOf(stage: Stage, endpointId: string): Site | null {
  const { world, clock, bell, rules, notify, tend } = stage;
  if (!world.endpoints.has(endpointId)) return null;
  return {
    world,
    clock,
    bell,
    rules,
    notify,
    tend,
    fleet: fleetOf(world, endpointId),
    get endpoint() {
      return endpointOf(world, endpointId);
    },
  };
}

/** The fleet of an endpoint; it comes into being with the first look. */
export function fleetOf(world: World, endpointId: string): Fleet {
  const known = world.fleets.get(endpointId);
  if (known !== undefined) return known;
  const fleet = createFleet(endpointId);
  const image = world.endpoints.get(endpointId)?.image;
  if (image !== undefined) fleet.images.add(image);
  world.fleets.set(endpointId, fleet);
  return fleet;
}

/** Lets something happen after `ms`, unless the endpoint is gone by then. */
export function later(site: Site, ms: number, happen: () => void): () => void {
  return site.clock.at(site.clock.now() + ms, () => {
    if (site.world.fleets.get(site.fleet.endpointId) === site.fleet) happen();
  });
}

function endpointOf(world: World, endpointId: string): WorldEndpoint {
  const endpoint = world.endpoints.get(endpointId);
  if (endpoint === undefined) throw new Error(`endpoint ${endpointId} is gone`);
  return endpoint;
}
