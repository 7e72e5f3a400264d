import type { WorldJob } from "../fleet/job.ts";
import { type Site, siteOf } from "../fleet/site.ts";
import type { Problem } from "../reply.ts";
import type { RouteContext } from "../route.ts";

type Found<Value> = { readonly problem: null; readonly found: Value } | { readonly problem: Problem };

/** The queue that a request names; a load balancer has none (runpod-api.md 3.7). */
export function findQueue({ stage, params }: RouteContext): Found<Site> {
  const site = siteOf(stage, params["id"] ?? "");
  if (site === null) return { problem: NO_ENDPOINT };
  return site.endpoint.type === "LOAD_BALANCER"
    ? { problem: { status: 400, detail: "not allowed for QB API" } }
    : { problem: null, found: site };
}

/** The job that a request names; one that the service has forgotten is unknown (runpod-api.md 3.5). */
export function findJob(context: RouteContext): Found<{ readonly site: Site; readonly job: WorldJob }> {
  const queue = findQueue(context);
  if (queue.problem) return queue;
  const site = queue.found;
  const job = site.fleet.jobs.get(context.params["job"] ?? "");
  return job === undefined
    ? { problem: { status: 404, detail: "job not found" } }
    : { problem: null, found: { site, job } };
}

export const NO_ENDPOINT: Problem = { status: 404, detail: "endpoint not found" };
