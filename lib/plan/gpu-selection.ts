import type { GpuType } from "../api/catalog.ts";
import type { EndpointGpu, GpuPatch } from "../api/endpoint.ts";
import { ReadbackError } from "../errors.ts";
import { nearest } from "../near.ts";

/** The types that workers may run on: every type of the pools except the excluded ones, in the catalog's order. */
export function allowedTypes(
  gpu: Pick<EndpointGpu, "pools" | "excludedTypes">,
  catalog: readonly GpuType[],
): readonly GpuType[] {
  const excluded = new Set((gpu.excludedTypes ?? []).map((type) => type.trim()));
  return catalog.filter(
    (type) => type.pool !== null && gpu.pools.includes(type.pool) && !excluded.has(type.id),
  );
}

/** The pool ids of a catalog, each once. */
export function poolsOf(catalog: readonly GpuType[]): readonly string[] {
  return [...new Set(catalog.flatMap((type) => (type.pool === null ? [] : [type.pool])))];
}

export interface PinOptions {
  /** Lowest CUDA version, `major.minor`; clears a list of allowed versions. */
  readonly minCuda?: string | undefined;
  /** Allowed CUDA versions, `major.minor`; clears a floor. */
  readonly cuda?: readonly string[] | undefined;
}

/**
 * Gives the GPU selection that leaves exactly one type: the pool that holds it, minus every other type of the pool.
 * A type that the service adds to the pool later becomes eligible: the API has no list of allowed types
 * (runpod-api.md 2.5).
 *
 * @param gpu type id such as `NVIDIA L40S`, or a display name such as `L40S` when it names one type
 * @throws usage_error - no such type, several types of that name, a type in no pool, or both CUDA options.
 */
export function pinTo(catalog: readonly GpuType[], gpu: string, options: PinOptions = {}): GpuPatch {
  const { minCuda, cuda } = options;
  if (minCuda !== undefined && cuda !== undefined)
    throw new ReadbackError(
      "usage_error",
      "Cannot use --min-cuda and --cuda together: they exclude each other",
    );
  const type = findType(catalog, gpu);
  if (type.pool === null)
    throw new ReadbackError(
      "usage_error",
      `Cannot pin to ${type.id}: the catalog has it in no serverless pool. Types in pools: ${pooledIds(catalog)}`,
    );
  const others = catalog.filter((other) => other.pool === type.pool && other.id !== type.id);
  return {
    pools: [type.pool],
    excludedTypes: others.map((other) => other.id),
    ...(minCuda === undefined ? {} : { minCudaVersion: minCuda, allowedCudaVersions: [] }),
    ...(cuda === undefined ? {} : { allowedCudaVersions: cuda, minCudaVersion: "" }),
  };
}

/**
 * Finds the type that an id or a display name names; ids win, letter case does not matter.
 *
 * @throws usage_error - no such type (a near one is named), or several of that name
 */
export function findType(catalog: readonly GpuType[], gpu: string): GpuType {
  const wanted = gpu.trim().toLowerCase();
  const byId = catalog.filter((type) => type.id.toLowerCase() === wanted);
  const found = byId.length > 0 ? byId : catalog.filter((type) => type.name.toLowerCase() === wanted);
  if (found.length === 1 && found[0]) return found[0];
  throw new ReadbackError(
    "usage_error",
    found.length === 0 ? unknownType(catalog, gpu) : ambiguous(found, gpu),
  );
}

function unknownType(catalog: readonly GpuType[], gpu: string): string {
  const near = nearest(
    gpu,
    catalog.flatMap((type) => [type.id, type.name]),
  );
  return `No GPU type "${gpu}" in the catalog${near ? `; did you mean ${near}?` : `. Types in pools: ${pooledIds(catalog)}`}`;
}

function ambiguous(found: readonly GpuType[], gpu: string): string {
  return `"${gpu}" names ${found.length} GPU types: ${found.map((type) => type.id).join(", ")}. Give the id`;
}

function pooledIds(catalog: readonly GpuType[]): string {
  return catalog
    .filter((type) => type.pool !== null)
    .map((type) => type.id)
    .join(", ");
}
