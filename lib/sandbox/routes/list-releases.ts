import { type Site, siteOf } from "../fleet/site.ts";
import { isStale } from "../fleet/worker.ts";
import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/serverless/{id}/releases`, newest first (runpod-api.md 2.9). */
export const listReleases: SandboxRoute = {
  name: "listReleases",
  method: "GET",
  path: "/v2/serverless/{id}/releases",
  answer({ world, stage, params }) {
    const site = siteOf(stage, params["id"] ?? "");
    if (site === null) return refuse(NOT_FOUND);
    const { endpoint, fleet } = site;
    const releases = (world.releases.get(endpoint.id) ?? []).map((release) => ({
      ...release,
      workerCount: fleet.workers.filter(({ version }) => version === release.version).length,
    }));
    return ok({ endpointVersion: endpoint.version, rollout: showRollout(site), releases });
  },
};

function showRollout({ fleet, endpoint }: Site): Record<string, unknown> {
  const total = fleet.workers.length;
  const latest = fleet.workers.filter((worker) => !isStale(worker, endpoint)).length;
  return {
    inProgress: latest < total,
    ...{ workersOnLatest: latest, workersTotal: total },
    percentOnLatest: total === 0 ? 0 : Math.floor((100 * latest) / total),
  };
}
