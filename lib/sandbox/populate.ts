import { SANDBOX_ENDPOINTS } from "./data/endpoints.ts";
import { applyPatch } from "./patch/apply.ts";
import { addRelease } from "./patch/release.ts";
import type { InferredRules } from "./rules.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import type { World, WorldEndpoint } from "./world.ts";

/** Puts the endpoints of a scenario into a world, each with its first and its latest release. */
export function populate(world: World, scenario: Scenario, rules: InferredRules): void {
  for (const healthy of SANDBOX_ENDPOINTS) {
    const endpoint = applyPatch(healthy, scenario.changes[healthy.id] ?? {}, rules);
    world.endpoints.set(endpoint.id, endpoint);
    addPast(world, endpoint);
  }
}

function addPast(world: World, endpoint: WorldEndpoint): void {
  const { createdAt, version, image } = endpoint;
  addRelease(world, { ...endpoint, version: 1 }, [], { userId: "user_sandbox", at: createdAt });
  if (version === 1) return;
  const at = new Date(Date.parse(createdAt) + 21 * 86_400_000).toISOString();
  const diff = [{ field: "template.imageName", old: image.replace(/\d+$/, "0"), new: image }];
  addRelease(world, endpoint, diff, { userId: "user_sandbox", at });
}
