import { closeFleet } from "../fleet/close.ts";
import { siteOf } from "../fleet/site.ts";
import { NOT_FOUND, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `DELETE /v2/serverless/{id}`: 204 without a body (runpod-api.md 2.6). */
export const deleteEndpoint: SandboxRoute = {
  name: "deleteEndpoint",
  method: "DELETE",
  path: "/v2/serverless/{id}",
  answer({ world, stage, params, applied }) {
    const id = params["id"] ?? "";
    const site = siteOf(stage, id);
    if (site === null) return refuse(NOT_FOUND);
    closeFleet(site);
    world.endpoints.delete(id);
    world.releases.delete(id);
    world.hidden.delete(id);
    applied();
    return { status: 204 };
  },
};
