import { showHealth } from "../fleet/show-health.ts";
import { siteOf } from "../fleet/site.ts";
import { ok, type Reply, refuse } from "../reply.ts";
import type { RouteContext, SandboxRoute } from "../route.ts";
import { NO_ENDPOINT } from "./find.ts";

/**
 * `GET /health`, of load balancers too. It is a cache: an endpoint deleted a moment ago still answers, one created a moment
 * ago may not yet (runpod-api.md 3.9).
 */
export const endpointHealth: SandboxRoute = {
  name: "endpointHealth",
  method: "GET",
  path: "/invoke/v2/{id}/health",
  answer(context) {
    const { stage, params, nowMs } = context;
    const site = siteOf(stage, params["id"] ?? "");
    if (site === null) return fromCache(context);
    const visibleFromMs = Date.parse(site.endpoint.createdAt) + stage.rules.healthAfterCreateMs;
    return nowMs < visibleFromMs ? refuse(NO_ENDPOINT) : ok(showHealth(site));
  },
};

function fromCache({ world, params, nowMs }: RouteContext): Reply {
  const grave = world.graves.get(params["id"] ?? "");
  return grave === undefined || nowMs >= grave.untilMs ? refuse(NO_ENDPOINT) : ok(grave.health);
}
