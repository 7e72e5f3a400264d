import type { EndpointPatch, GpuPatch } from "../../api/endpoint.ts";
import { CPU_ROWS } from "../data/cpus.ts";
import type { Problem } from "../reply.ts";
import type { InferredRules } from "../rules.ts";
import { hasNoIdleTimeout } from "../show-endpoint.ts";
import type { World, WorldEndpoint } from "../world.ts";

/** A change of an endpoint: what is there, what is sent, and what it would become. */
export interface Change {
  readonly before: WorldEndpoint;
  readonly body: EndpointPatch;
  readonly after: WorldEndpoint;
}

/** The first rule beyond the schema that a change breaks (runpod-api.md 2.2 and 2.5), or null. */
export function brokenRule(change: Change, world: World, rules: InferredRules): Problem | null {
  const { body } = change;
  return (
    brokenFamily(change) ??
    (body.gpu ? (brokenCuda(change, rules) ?? brokenSelection(body.gpu, world, rules)) : null) ??
    (body.cpu ? brokenCpu(body.cpu, rules) : null) ??
    brokenScaling(change, rules) ??
    (body.workers ? brokenWorkers(change, world, rules) : null)
  );
}

/** Pools and exclusions of a body against the catalog. */
export function brokenSelection(gpu: GpuPatch, world: World, rules: InferredRules): Problem | null {
  const { pools } = gpu;
  if (pools === undefined) return null;
  const known = new Set(world.gpus.map(([, , , pool]) => pool));
  const unknown = pools.find((pool) => !known.has(pool));
  if (unknown !== undefined) return { status: rules.unknownPool, detail: `unknown GPU pool '${unknown}'` };
  const types = world.gpus.filter(([, , , pool]) => pool !== null && pools.includes(pool)).map(([id]) => id);
  const excluded = (gpu.excludedTypes ?? []).map((type) => type.trim());
  const stranger = excluded.find((type) => !types.includes(type));
  if (stranger !== undefined) {
    return { status: 400, detail: `excludedTypes: '${stranger}' is not a GPU type in the selected pools` };
  }
  return types.every((type) => excluded.includes(type))
    ? { status: rules.nothingLeft, detail: "excludedTypes leaves no GPU type in the selected pools" }
    : null;
}

/** CPU flavors and their vCPU counts. */
export function brokenCpu(cpu: NonNullable<EndpointPatch["cpu"]>, rules: InferredRules): Problem | null {
  const wrong = cpu.find(({ id, vcpuCount }) => {
    const flavor = CPU_ROWS.find((row) => row.id === id);
    return flavor === undefined || vcpuCount > flavor.maxVcpu || !Number.isInteger(Math.log2(vcpuCount));
  });
  if (wrong === undefined) return null;
  return {
    status: rules.invalidCpu,
    detail: `cpu '${wrong.id}' with ${wrong.vcpuCount} vCPUs is not available`,
  };
}

/** The sum of `workers.max` over the account, with this endpoint as it would become. */
export function brokenQuota(after: WorldEndpoint, world: World, rules: InferredRules): Problem | null {
  if (rules.workerQuota === null) return null;
  const others = [...world.endpoints.values()].filter(({ id }) => id !== after.id);
  const sum = others.reduce((total, { workers }) => total + workers.max, after.workers.max);
  return sum > rules.workerQuota
    ? {
        status: rules.overWorkerQuota,
        detail: `workers.max exceeds the account quota of ${rules.workerQuota}`,
      }
    : null;
}

function brokenFamily({ before, body }: Change): Problem | null {
  if (body.gpu && body.cpu) return { status: 400, detail: "gpu and cpu are mutually exclusive" };
  if (body.gpu && before.gpu === null) return { status: 400, detail: "gpu does not apply to a CPU endpoint" };
  if (body.cpu && before.cpu === null) return { status: 400, detail: "cpu does not apply to a GPU endpoint" };
  return null;
}

function brokenCuda({ body, after }: Change, rules: InferredRules): Problem | null {
  const detail = "allowedCudaVersions and minCudaVersion are mutually exclusive";
  if (isBoth(body.gpu?.allowedCudaVersions, body.gpu?.minCudaVersion)) return { status: 400, detail };
  const touches = body.gpu?.allowedCudaVersions !== undefined || body.gpu?.minCudaVersion !== undefined;
  const refused = rules.cudaAcrossPatches !== "accepted" && touches;
  return refused && isBoth(after.gpu?.allowedCudaVersions, after.gpu?.minCudaVersion)
    ? { status: rules.cudaAcrossPatches, detail }
    : null;
}

function isBoth(list: readonly string[] | undefined, floor: string | null | undefined): boolean {
  return (list?.length ?? 0) > 0 && (floor ?? "") !== "";
}

function brokenScaling({ body, after }: Change, rules: InferredRules): Problem | null {
  if (body.scaling?.type === "QUEUE_DELAY" && after.type === "LOAD_BALANCER") {
    return {
      status: rules.queueDelayOnLoadBalancer,
      detail: "load balancer endpoints must scale on REQUEST_COUNT",
    };
  }
  return body.workers?.idleTimeout !== undefined && hasNoIdleTimeout(after)
    ? {
        status: rules.idleTimeoutOnRequestCount,
        detail: "idleTimeout does not apply to queue-based endpoints scaling on requestCount",
      }
    : null;
}

function brokenWorkers({ after }: Change, world: World, rules: InferredRules): Problem | null {
  const { min, max } = after.workers;
  if (min > max && rules.minAboveMax !== "accepted") {
    return { status: rules.minAboveMax, detail: `workers.min ${min} is above workers.max ${max}` };
  }
  return brokenQuota(after, world, rules);
}
