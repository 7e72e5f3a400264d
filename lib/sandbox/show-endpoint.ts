import { CPU_ROWS } from "./data/cpus.ts";
import type { InferredRules } from "./rules.ts";
import type { WorldCpu, WorldEndpoint, WorldGpu } from "./world.ts";

export interface ShowOptions {
  readonly origin: string;
  readonly rules: InferredRules;
}

/** The endpoint object of the API (runpod-api.md 2.4), as a fresh copy. */
export function showEndpoint(endpoint: WorldEndpoint, options: ShowOptions): Record<string, unknown> {
  const { id, name, type, image, args, disk, ports, env, registry, gpu, cpu } = endpoint;
  const { scaling, dataCenterIds, networkVolumes, timeout, flashboot, createdAt } = endpoint;
  return structuredClone({
    id,
    name,
    type,
    requestUrls: requestUrls(endpoint, options.origin),
    ...{ image, args, disk, ports, env, registry },
    ...(gpu ? { gpu: showGpu(gpu, options.rules) } : {}),
    ...(gpu === null && options.rules.gpuOfCpuEndpoint === "null" ? { gpu: null } : {}),
    ...(cpu ? { cpu: cpu.map(showCpu) } : {}),
    workers: showWorkers(endpoint),
    ...{ scaling, dataCenterIds, networkVolumes, timeout, flashboot, createdAt },
  });
}

/** True for the combination that has no idle timeout (runpod-api.md 2.5, rule 7). */
export function hasNoIdleTimeout(endpoint: WorldEndpoint): boolean {
  return endpoint.type === "QUEUE" && endpoint.scaling.type === "REQUEST_COUNT";
}

function showWorkers(endpoint: WorldEndpoint): Record<string, number> {
  const { min, max, idleTimeout } = endpoint.workers;
  return { min, max, ...(hasNoIdleTimeout(endpoint) ? {} : { idleTimeout }) };
}

function showGpu(gpu: WorldGpu, rules: InferredRules): Record<string, unknown> {
  const { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion } = gpu;
  const shown = excludedTypes.length > 0 || rules.noExclusions === "empty";
  return { pools, ...(shown ? { excludedTypes } : {}), count, allowedCudaVersions, minCudaVersion };
}

function showCpu(cpu: WorldCpu): Record<string, unknown> {
  const perVcpu = CPU_ROWS.find((row) => row.id === cpu.id)?.ramGbPerVcpu ?? 2;
  return { id: cpu.id, vcpuCount: cpu.vcpuCount, memory: Math.max(1, Math.round(cpu.vcpuCount * perVcpu)) };
}

function requestUrls({ id, type, env }: WorldEndpoint, origin: string): Record<string, string> {
  if (type === "LOAD_BALANCER") {
    const path = env["HEALTH_CHECK_PATH"] || "/ping";
    const base = `${origin}/lb/${id}`;
    return { base, health: base + (path.startsWith("/") ? path : `/${path}`) };
  }
  const base = `${origin}/invoke/v2/${id}`;
  return {
    run: `${base}/run`,
    runSync: `${base}/runsync`,
    status: `${base}/status/{job_id}`,
    stream: `${base}/stream/{job_id}`,
    cancel: `${base}/cancel/{job_id}`,
    retry: `${base}/retry/{job_id}`,
    purgeQueue: `${base}/purge-queue`,
    health: `${base}/health`,
  };
}
