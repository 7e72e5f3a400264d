import { cpuQueryProblem, showCpuType } from "../catalog/show-cpu.ts";
import { CPU_ROWS } from "../data/cpus.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/catalog/cpus` (runpod-api.md 2.12). */
export const listCpuTypes: SandboxRoute = {
  name: "listCpuTypes",
  method: "GET",
  path: "/v2/catalog/cpus",
  answer({ world, query }) {
    const problem = cpuQueryProblem(query);
    return problem ? refuse(problem) : ok({ cpus: CPU_ROWS.map((cpu) => showCpuType(world, cpu, query)) });
  },
};
