import { cudaFilter } from "../catalog/gpu-query.ts";
import { LEVELS, type StockQuestion, stockByDataCenter } from "../catalog/stock.ts";
import type { World, WorldEndpoint, WorldGpu } from "../world.ts";

/** Where a worker runs. */
export interface Machine {
  readonly gpuTypeId: string | null;
  readonly dataCenterId: string | null;
}

/**
 * A machine for a worker of an endpoint: the allowed GPU type with the best stock in its data centers. Null where no
 * stock is left. CPUs are always there.
 */
export function findMachine(world: World, endpoint: WorldEndpoint): Machine | null {
  const { gpu, dataCenterIds } = endpoint;
  const anywhere = dataCenterIds.length === 0;
  const dataCenters = world.dataCenters.filter(([id]) => anywhere || dataCenterIds.includes(id));
  if (gpu === null) return { gpuTypeId: null, dataCenterId: dataCenters[0]?.[0] ?? null };
  const [best] = offersFor({ ...world, dataCenters }, gpu).toSorted((a, b) => b.level - a.level);
  return best === undefined ? null : { gpuTypeId: best.gpuTypeId, dataCenterId: best.dataCenterId };
}

/** In the order of the pools, which may be a priority. */
function offersFor(
  world: World,
  gpu: WorldGpu,
): readonly { gpuTypeId: string; dataCenterId: string; level: number }[] {
  const question = questionOf(gpu);
  const rows = gpu.pools.flatMap((wanted) => world.gpus.filter(([, , , pool]) => pool === wanted));
  return rows
    .filter(([id]) => !gpu.excludedTypes.includes(id))
    .flatMap((row) =>
      stockByDataCenter(world, row, question).map(({ id, availability }) => ({
        ...{ gpuTypeId: row[0], dataCenterId: id, level: LEVELS.indexOf(availability) },
      })),
    );
}

function questionOf({ count, allowedCudaVersions, minCudaVersion }: WorldGpu): StockQuestion {
  const exact = allowedCudaVersions.length > 0 ? allowedCudaVersions : undefined;
  return {
    ...{ products: ["SERVERLESS"], count, cloud: "SECURE", countries: [] },
    wantsCuda: cudaFilter(exact, minCudaVersion ?? undefined),
  };
}
