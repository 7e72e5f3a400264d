import { ok } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { showEndpoint } from "../show-endpoint.ts";
import { visibleEndpoints } from "../visible.ts";

/** `GET /v2/serverless`: no parameters, no pages; unknown parameters are ignored (runpod-api.md 2.1). */
export const listEndpoints: SandboxRoute = {
  name: "listEndpoints",
  method: "GET",
  path: "/v2/serverless",
  answer: ({ world, show, nowMs }) =>
    ok({ endpoints: visibleEndpoints(world, nowMs).map((endpoint) => showEndpoint(endpoint, show)) }),
};
