import { drawFor } from "./random.ts";
import type { World, WorldEndpoint } from "./world.ts";

/** A worker as the API lists it (runpod-api.md 2.8). */
export interface Worker {
  readonly id: string;
  readonly status: "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";
  readonly isStale: boolean;
  readonly version: number;
  readonly gpuCount: number;
  readonly image: string;
  readonly gpuTypeId: string | null;
  readonly dataCenterId: string | null;
}

/** The workers of an endpoint: without jobs, the minimum ones, on the current version. */
export function workersOf(world: World, endpoint: WorldEndpoint): readonly Worker[] {
  return Array.from({ length: endpoint.workers.min }, (_, i) => minimumWorker(world, endpoint, i));
}

function minimumWorker(world: World, endpoint: WorldEndpoint, i: number): Worker {
  const { gpu, dataCenterIds, version, image } = endpoint;
  return {
    id: workerId(world.seed, `${endpoint.id}/${version}/${i}`),
    status: "RUNNING",
    isStale: false,
    version,
    gpuCount: gpu?.count ?? 0,
    image,
    gpuTypeId: gpu && (firstType(world, gpu.pools, gpu.excludedTypes) ?? null),
    dataCenterId: dataCenterIds[0] ?? world.dataCenters[0]?.[0] ?? null,
  };
}

function firstType(world: World, pools: readonly string[], excluded: readonly string[]): string | undefined {
  return world.gpus.find(([id, , , pool]) => pool && pools.includes(pool) && !excluded.includes(id))?.[0];
}

function workerId(seed: number, name: string): string {
  const part = (salt: string) => Math.floor(drawFor(seed, `${name}/${salt}`) * 36 ** 7).toString(36);
  return `${part("a").padStart(7, "0")}${part("b").padStart(7, "0")}`;
}
