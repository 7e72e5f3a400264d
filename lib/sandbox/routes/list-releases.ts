import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { type Worker, workersOf } from "../workers.ts";

/** `GET /v2/serverless/{id}/releases`, newest first (runpod-api.md 2.9). */
export const listReleases: SandboxRoute = {
  name: "listReleases",
  method: "GET",
  path: "/v2/serverless/{id}/releases",
  answer({ world, params }) {
    const endpoint = world.endpoints.get(params["id"] ?? "");
    if (endpoint === undefined) return refuse(NOT_FOUND);
    const workers = workersOf(world, endpoint);
    const releases = (world.releases.get(endpoint.id) ?? []).map((release) => ({
      ...release,
      workerCount: workers.filter(({ version }) => version === release.version).length,
    }));
    return ok({ endpointVersion: endpoint.version, rollout: rollout(workers), releases });
  },
};

function rollout(workers: readonly Worker[]): Record<string, unknown> {
  const latest = workers.filter(({ isStale }) => !isStale).length;
  return {
    inProgress: latest < workers.length,
    workersOnLatest: latest,
    workersTotal: workers.length,
    percentOnLatest: workers.length === 0 ? 0 : Math.floor((100 * latest) / workers.length),
  };
}
