import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { showEndpoint } from "../show-endpoint.ts";
import { visibleEndpoint } from "../visible.ts";

/** `GET /v2/serverless/{id}` (runpod-api.md 2.4). */
export const readEndpoint: SandboxRoute = {
  name: "readEndpoint",
  method: "GET",
  path: "/v2/serverless/{id}",
  answer({ world, show, params, nowMs }) {
    const endpoint = visibleEndpoint(world, params["id"] ?? "", nowMs);
    return endpoint === null ? refuse(NOT_FOUND) : ok(showEndpoint(endpoint, show));
  },
};
