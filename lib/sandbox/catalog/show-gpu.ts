import type { GpuRow } from "../data/gpus.ts";
import type { World } from "../world.ts";
import { bestLevel, cudaVersionsOf, largestMachine, type StockQuestion, stockByDataCenter } from "./stock.ts";

/** One row of the GPU catalog (runpod-api.md 2.12), with stock where it is asked for. */
export function showGpu(world: World, gpu: GpuRow, question: StockQuestion | null): Record<string, unknown> {
  const [id, name, memory, pool, serverless] = gpu;
  return {
    ...{ id, name, pool },
    manufacturer: id.startsWith("AMD") ? "AMD" : "NVIDIA",
    memory,
    ...{ secure: true, community: true },
    price: { ...podPrices(gpu), ...(serverless === null ? {} : { serverless }) },
    maxCount: { secure: largestMachine(gpu, "SECURE"), community: largestMachine(gpu, "COMMUNITY") },
    ...(question ? showStock(world, gpu, question) : {}),
  };
}

function showStock(world: World, gpu: GpuRow, question: StockQuestion): Record<string, unknown> {
  const dataCenters = stockByDataCenter(world, gpu, question);
  const cudaVersions = cudaVersionsOf(world, gpu).filter(({ version }) => question.wantsCuda(version));
  return {
    availability: bestLevel(dataCenters.map(({ availability }) => availability)),
    ...(dataCenters.length > 0 ? { dataCenters } : {}),
    ...(cudaVersions.length > 0 ? { cudaVersions } : {}),
  };
}

/** Pod prices are stand-ins: no source lists them for every type. */
function podPrices([, , memory, , serverless]: GpuRow): { secure: number; community: number } {
  const secure = Math.round((serverless === null ? memory * 0.015 : serverless * 0.4) * 100) / 100;
  return { secure, community: Math.round(secure * 70) / 100 };
}
