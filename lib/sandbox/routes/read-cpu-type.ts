import { cpuQueryProblem, showCpuType } from "../catalog/show-cpu.ts";
import { CPU_ROWS } from "../data/cpus.ts";
import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/catalog/cpus/{id}` (runpod-api.md 2.12). */
export const readCpuType: SandboxRoute = {
  name: "readCpuType",
  method: "GET",
  path: "/v2/catalog/cpus/{id}",
  answer({ world, query, params }) {
    const problem = cpuQueryProblem(query);
    if (problem) return refuse(problem);
    const cpu = CPU_ROWS.find(({ id }) => id === params["id"]);
    return cpu === undefined ? refuse(NOT_FOUND) : ok(showCpuType(world, cpu, query));
  },
};
