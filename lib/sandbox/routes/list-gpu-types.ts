import { readGpuQuery } from "../catalog/gpu-query.ts";
import { showGpu } from "../catalog/show-gpu.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/catalog/gpus` (runpod-api.md 2.12). A country filter drops the types that no data center there has. */
export const listGpuTypes: SandboxRoute = {
  name: "listGpuTypes",
  method: "GET",
  path: "/v2/catalog/gpus",
  answer({ world, query }) {
    const read = readGpuQuery(query);
    if (read.problem) return refuse(read.problem);
    const gpus = world.gpus.map((gpu) => showGpu(world, gpu, read.question));
    const drops = (read.question?.countries.length ?? 0) > 0;
    return ok({ gpus: drops ? gpus.filter((gpu) => gpu["dataCenters"] !== undefined) : gpus });
  },
};
