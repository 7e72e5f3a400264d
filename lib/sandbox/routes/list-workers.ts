import { showSummary, showWorkers } from "../fleet/show-workers.ts";
import { siteOf } from "../fleet/site.ts";
import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/serverless/{id}/workers` (runpod-api.md 2.8): the counts add up to the list. */
export const listWorkers: SandboxRoute = {
  name: "listWorkers",
  method: "GET",
  path: "/v2/serverless/{id}/workers",
  answer({ stage, params }) {
    const site = siteOf(stage, params["id"] ?? "");
    if (site === null) return refuse(NOT_FOUND);
    const { version } = site.endpoint;
    return ok({ endpointVersion: version, summary: showSummary(site), workers: showWorkers(site) });
  },
};
