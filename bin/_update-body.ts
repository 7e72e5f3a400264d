import type { GpuType } from "../lib/api/catalog.ts";
import type { Endpoint, EndpointPatch, GpuPatch, Scaling } from "../lib/api/endpoint.ts";
import { ReadbackError } from "../lib/errors.ts";
import { findType } from "../lib/plan/gpu-selection.ts";
import type { UpdateValues } from "./_update-flags.ts";
import { thresholdMisfit } from "./_update-threshold.ts";

/** What the body of an update rests on besides the flags. */
export interface UpdateFacts {
  readonly before: Endpoint;
  /** Needed where GPU types are named. */
  readonly catalog: readonly GpuType[];
  /** The variables of --env-file. */
  readonly env: Readonly<Record<string, string>> | null;
}

/** The PATCH body that an update asks for: the fields of the flags given and nothing else. @throws usage_error */
export function updateBody(values: UpdateValues, { before, catalog, env }: UpdateFacts): EndpointPatch {
  const { name, gpu, cpu, workers, ...others } = fixedBody(values);
  const scaling = scalingOf(values, before);
  const excluded = values.excludeGpus?.map((type) => findType(catalog, type).id);
  return {
    ...given({ name }),
    ...(gpu || excluded ? { gpu: { ...gpu, ...given({ excludedTypes: excluded }) } } : {}),
    ...given({ cpu, workers, scaling }),
    ...others,
    ...(env === null ? {} : { env }),
  };
}

/** The part of the body that needs no look at anything. @throws usage_error */
export function fixedBody(values: UpdateValues): EndpointPatch {
  const { idleTimeout, executionTimeout: timeout, name, flashboot, image, disk } = values;
  const workers = given({
    min: values.workersMin,
    max: values.workersMax,
    idleTimeout: idleTimeout === undefined ? undefined : idleTimeout / 1000,
  });
  const gpu = fixedGpu(values);
  return {
    ...given({ name }),
    ...(Object.keys(gpu).length > 0 ? { gpu } : {}),
    ...given({ cpu: values.cpu?.map(cpuOf) }),
    ...(Object.keys(workers).length > 0 ? { workers } : {}),
    ...given({ dataCenterIds: values.clearDataCenterIds ? [] : values.dataCenterIds }),
    ...given({ networkVolumes: values.clearNetworkVolumeIds ? [] : values.networkVolumeIds }),
    ...given({ timeout, flashboot, image }),
    ...given({ args: values.clearArgs ? "" : values.args, disk }),
    ...given({ ports: values.clearPorts ? [] : values.ports }),
    ...given({ registry: values.clearRegistry ? null : values.registry }),
  };
}

/** A CUDA constraint alone never names pools: it would select anew (runpod-api.md 2.5, rules 3 and 6). */
function fixedGpu({
  pools,
  clearExclusions,
  gpuCount: count,
  minCuda,
  cuda,
  clearCuda,
}: UpdateValues): GpuPatch {
  return {
    ...given({ pools }),
    ...(clearExclusions ? { excludedTypes: [] } : {}),
    ...given({ count }),
    ...(minCuda === undefined ? {} : { minCudaVersion: minCuda, allowedCudaVersions: [] }),
    ...(cuda === undefined ? {} : { allowedCudaVersions: cuda, minCudaVersion: "" }),
    ...(clearCuda ? { allowedCudaVersions: [], minCudaVersion: "" } : {}),
  };
}

/** The API takes kind and target together; what the person did not name stays as it was read. */
function scalingOf({ scaleBy, scaleThreshold }: UpdateValues, before: Endpoint): Scaling | undefined {
  if (scaleBy === undefined && scaleThreshold === undefined) return undefined;
  const now = before.scaling.type === "QUEUE_DELAY" ? "delay" : "requests";
  const by = scaleBy ?? now;
  const threshold = scaleThreshold ?? (by === now ? targetOf(before.scaling) : undefined);
  const where = `${before.name} (${before.id})`;
  if (threshold === undefined)
    throw new ReadbackError(
      "usage_error",
      `--scale-by ${by} changes how ${where} scales, so it needs --scale-threshold: ${by === "delay" ? "seconds of queue delay" : "requests per worker"}`,
    );
  const misfit = thresholdMisfit(by, threshold);
  if (misfit !== null)
    throw new ReadbackError("usage_error", `${misfit}; ${where} scales on ${before.scaling.type}`);
  return by === "delay"
    ? { type: "QUEUE_DELAY", queueDelay: threshold }
    : { type: "REQUEST_COUNT", requestCount: threshold };
}

function targetOf(scaling: Scaling): number {
  return scaling.type === "QUEUE_DELAY" ? scaling.queueDelay : scaling.requestCount;
}

function cpuOf(text: string): { readonly id: string; readonly vcpuCount: number } {
  const [, id, vcpus] = /^([a-z0-9-]+):([1-9]\d*)$/i.exec(text) ?? [];
  if (id === undefined)
    throw new ReadbackError(
      "usage_error",
      `Cannot use --cpu "${text}": expected a flavor and its vCPUs such as cpu5c:4`,
    );
  return { id, vcpuCount: Number(vcpus) };
}

/** The entries that have a value, so that nothing is sent for what was not asked. */
function given<T extends Readonly<Record<string, unknown>>>(
  entries: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
