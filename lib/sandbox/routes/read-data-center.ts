import { dataCenterQueryProblem, showDataCenter } from "../catalog/show-data-center.ts";
import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/catalog/datacenters/{id}` (runpod-api.md 2.13). */
export const readDataCenter: SandboxRoute = {
  name: "readDataCenter",
  method: "GET",
  path: "/v2/catalog/datacenters/{id}",
  answer({ world, query, params }) {
    const problem = dataCenterQueryProblem(query);
    if (problem) return refuse(problem);
    const row = world.dataCenters.find(([id]) => id === params["id"]);
    return row === undefined ? refuse(NOT_FOUND) : ok(showDataCenter(world, row, query));
  },
};
