import type { World, WorldEndpoint } from "./world.ts";

/** The endpoint as reads see it now: the state before, while a change is not visible yet. Counts as one read. */
export function visibleEndpoint(world: World, id: string, nowMs: number): WorldEndpoint | null {
  const hidden = world.hidden.get(id);
  if (hidden === undefined) return world.endpoints.get(id) ?? null;
  if (hidden.reads <= 0 && nowMs >= hidden.untilMs) {
    world.hidden.delete(id);
    return world.endpoints.get(id) ?? null;
  }
  hidden.reads -= 1;
  return hidden.before;
}

/** All endpoints as reads see them now. */
export function visibleEndpoints(world: World, nowMs: number): readonly WorldEndpoint[] {
  return [...world.endpoints.keys()]
    .map((id) => visibleEndpoint(world, id, nowMs))
    .filter((endpoint) => endpoint !== null);
}
