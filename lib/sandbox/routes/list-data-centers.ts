import { list } from "../catalog/query.ts";
import { dataCenterQueryProblem, showDataCenter } from "../catalog/show-data-center.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/catalog/datacenters`: regions are ORed, the other families ANDed (runpod-api.md 2.13). */
export const listDataCenters: SandboxRoute = {
  name: "listDataCenters",
  method: "GET",
  path: "/v2/catalog/datacenters",
  answer({ world, query }) {
    const problem = dataCenterQueryProblem(query);
    if (problem) return refuse(problem);
    const rows = world.dataCenters.map((row) => showDataCenter(world, row, query));
    return ok({ dataCenters: rows.filter((row) => isWanted(row, query)) });
  },
};

function isWanted(row: Readonly<Record<string, unknown>>, query: URLSearchParams): boolean {
  const regions = list(query, "regions");
  const network = query.get("globalNetwork");
  return (
    (regions === undefined || regions.includes(String(row["region"]))) &&
    (network === null || String(row["globalNetwork"]) === network) &&
    hasAll(row["networkVolumeTypes"], list(query, "networkVolumeTypes")) &&
    hasAll(row["compliance"], list(query, "compliance"))
  );
}

function hasAll(have: unknown, wanted: readonly string[] = []): boolean {
  return Array.isArray(have) && wanted.every((item) => have.includes(item));
}
