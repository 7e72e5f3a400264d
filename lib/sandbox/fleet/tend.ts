import { planDispatch } from "./dispatch.ts";
import { scale } from "./scaler.ts";
import { type Stage, siteOf } from "./site.ts";

/** Does what an endpoint's configuration, jobs and workers call for at this moment; calling it again changes nothing. */
export function tend(stage: Stage, endpointId: string): void {
  const site = siteOf(stage, endpointId);
  if (site === null) return;
  scale(site);
  planDispatch(site);
}

/** Tends every endpoint: after a change, whoever made it. */
export function tendAll(stage: Stage): void {
  for (const id of stage.world.endpoints.keys()) tend(stage, id);
}
