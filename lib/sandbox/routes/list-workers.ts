import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { type Worker, workersOf } from "../workers.ts";

const STATUSES = ["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"] as const;

/** `GET /v2/serverless/{id}/workers` (runpod-api.md 2.8): the counts add up to the list. */
export const listWorkers: SandboxRoute = {
  name: "listWorkers",
  method: "GET",
  path: "/v2/serverless/{id}/workers",
  answer({ world, params }) {
    const endpoint = world.endpoints.get(params["id"] ?? "");
    if (endpoint === undefined) return refuse(NOT_FOUND);
    const workers = workersOf(world, endpoint);
    return ok({ endpointVersion: endpoint.version, summary: summary(workers), workers });
  },
};

function summary(workers: readonly Worker[]): Record<string, number> {
  const counts = STATUSES.map((status): [string, number] => [
    status.toLowerCase(),
    workers.filter((worker) => worker.status === status).length,
  ]);
  return { ...Object.fromEntries(counts), total: workers.length };
}
