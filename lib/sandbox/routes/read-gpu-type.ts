import { readGpuQuery } from "../catalog/gpu-query.ts";
import { showGpu } from "../catalog/show-gpu.ts";
import { NOT_FOUND, ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

/** `GET /v2/catalog/gpus/{id}`: 404 means only that the type does not exist (runpod-api.md 2.12). */
export const readGpuType: SandboxRoute = {
  name: "readGpuType",
  method: "GET",
  path: "/v2/catalog/gpus/{id}",
  answer({ world, query, params }) {
    const read = readGpuQuery(query);
    if (read.problem) return refuse(read.problem);
    const gpu = world.gpus.find(([id]) => id === params["id"]);
    return gpu === undefined ? refuse(NOT_FOUND) : ok(showGpu(world, gpu, read.question));
  },
};
