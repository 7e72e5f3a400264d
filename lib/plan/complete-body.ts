import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch, GpuPatch } from "../api/endpoint.ts";

export interface CompleteBodyOptions {
  /** Send `env` as given, so that keys which are not in it go away. @default false */
  readonly replaceEnv?: boolean;
}

/**
 * Turns what a person asked for into the body that leaves everything else as it is, where the API would not:
 * `pools` and `excludedTypes` always go together, and `env`, which is replaced whole, keeps the keys nobody named
 * (runpod-api.md 2.5, rules 1 and 3).
 */
export function completeBody(
  endpoint: Endpoint,
  asked: EndpointPatch,
  catalog: readonly GpuType[],
  options: CompleteBodyOptions = {},
): EndpointPatch {
  const { gpu, env } = asked;
  return {
    ...asked,
    ...(gpu ? { gpu: completeGpu(endpoint, gpu, catalog) } : {}),
    ...(env && !options.replaceEnv ? { env: { ...endpoint.env, ...env } } : {}),
  };
}

function completeGpu(endpoint: Endpoint, asked: GpuPatch, catalog: readonly GpuType[]): GpuPatch {
  if (asked.pools === undefined && asked.excludedTypes === undefined) return asked;
  const pools = asked.pools ?? endpoint.gpu?.pools ?? [];
  const excludedTypes = asked.excludedTypes ?? keptExclusions(endpoint, pools, catalog);
  const { pools: _p, excludedTypes: _e, ...rest } = asked;
  return { pools, excludedTypes, ...rest };
}

/** The exclusions that still belong to one of the pools; the service refuses others. */
function keptExclusions(
  endpoint: Endpoint,
  pools: readonly string[],
  catalog: readonly GpuType[],
): readonly string[] {
  const members = new Set(catalog.filter((type) => pools.includes(type.pool ?? "")).map((type) => type.id));
  return (endpoint.gpu?.excludedTypes ?? []).map((type) => type.trim()).filter((type) => members.has(type));
}
