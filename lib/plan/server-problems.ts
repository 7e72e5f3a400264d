import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch, GpuPatch } from "../api/endpoint.ts";
import { nearest } from "../near.ts";
import { allowedTypes, poolsOf } from "./gpu-selection.ts";
import { overlay } from "./overlay.ts";

/**
 * What the service would refuse about a body that is well formed, worded for a person (runpod-api.md 2.2 and 2.5).
 * Empty when nothing is known against it. The status that the service gives for some of these is not documented.
 *
 * @param catalog null when it was not read; GPU selections are then not judged
 */
export function serverProblems(
  endpoint: Endpoint,
  body: EndpointPatch,
  catalog: readonly GpuType[] | null,
): readonly string[] {
  const after = overlay(endpoint, body).endpoint;
  return [
    ...familyProblems(endpoint, body),
    ...(body.gpu && endpoint.gpu ? gpuProblems(body.gpu, catalog) : []),
    ...workerProblems(body, after),
    ...scalingProblems(body, after),
  ];
}

function familyProblems(endpoint: Endpoint, body: EndpointPatch): readonly string[] {
  const isCpu = endpoint.cpu !== undefined && endpoint.cpu.length > 0;
  if (body.gpu && body.cpu) return ["gpu and cpu exclude each other in one body"];
  if (body.gpu && isCpu) return ["it is a CPU endpoint, and the compute family of an endpoint cannot change"];
  if (body.gpu && !endpoint.gpu) return ["the read shows no gpu block, so it cannot take a GPU selection"];
  if (body.cpu && endpoint.gpu)
    return ["it is a GPU endpoint, and the compute family of an endpoint cannot change"];
  return [];
}

function gpuProblems(gpu: GpuPatch, catalog: readonly GpuType[] | null): readonly string[] {
  const both = (gpu.allowedCudaVersions?.length ?? 0) > 0 && (gpu.minCudaVersion ?? "") !== "";
  const cuda = both ? ["gpu.allowedCudaVersions and gpu.minCudaVersion exclude each other"] : [];
  if (catalog === null || gpu.pools === undefined) return cuda;
  const unknown = gpu.pools.filter((pool) => !poolsOf(catalog).includes(pool));
  if (unknown.length > 0) return [...cuda, ...unknown.map((pool) => unknownPool(pool, catalog))];
  return [...cuda, ...selectionProblems(gpu.pools, gpu.excludedTypes ?? [], catalog)];
}

function selectionProblems(
  pools: readonly string[],
  excludedTypes: readonly string[],
  catalog: readonly GpuType[],
): readonly string[] {
  const members = allowedTypes({ pools }, catalog).map((type) => type.id);
  const strangers = excludedTypes.filter((type) => !members.includes(type.trim()));
  if (strangers.length > 0)
    return strangers.map((type) => {
      const near = nearest(type, members);
      return `gpu.excludedTypes has "${type}", which is no GPU type of ${pools.join(", ")}${near ? `; did you mean ${near}?` : ""}`;
    });
  return allowedTypes({ pools, excludedTypes }, catalog).length === 0
    ? [`gpu.excludedTypes leaves no GPU type of ${pools.join(", ")}; at least one must remain`]
    : [];
}

function unknownPool(pool: string, catalog: readonly GpuType[]): string {
  const near = nearest(pool, poolsOf(catalog));
  return `gpu.pools has "${pool}", which is no pool of the catalog; ${near ? `did you mean ${near}?` : `pools are ${poolsOf(catalog).join(", ")}`}`;
}

function workerProblems(body: EndpointPatch, after: Endpoint): readonly string[] {
  if (!body.workers) return [];
  const { min, max } = after.workers;
  return min > max ? [`workers.min ${min} would be above workers.max ${max}`] : [];
}

function scalingProblems(body: EndpointPatch, after: Endpoint): readonly string[] {
  const isBalancer = after.type === "LOAD_BALANCER";
  const delay = body.scaling?.type === "QUEUE_DELAY" && isBalancer;
  const idle =
    body.workers?.idleTimeout !== undefined && after.scaling.type === "REQUEST_COUNT" && !isBalancer;
  return [
    ...(delay ? ["a load balancer endpoint scales on REQUEST_COUNT only"] : []),
    ...(idle
      ? [
          "workers.idleTimeout does not apply to a queue endpoint that scales on REQUEST_COUNT; the API refuses it",
        ]
      : []),
  ];
}
