import type { EndpointPatch, GpuPatch } from "../../api/endpoint.ts";
import type { WorldTemplate } from "../data/templates.ts";
import type { InferredRules } from "../rules.ts";
import { hasNoIdleTimeout } from "../show-endpoint.ts";
import type { WorldEndpoint } from "../world.ts";

/** Seconds that a create gives an endpoint which names none (runpod-api.md 2.6). */
export const DEFAULT_IDLE_TIMEOUT_SECONDS = 10;

/**
 * The endpoint that a valid PATCH body makes of another, which stays as it is (runpod-api.md 2.5): what is absent is
 * unchanged, also one level down for `gpu` and `workers`; every other field is replaced whole.
 */
export function applyPatch(before: WorldEndpoint, body: EndpointPatch, rules: InferredRules): WorldEndpoint {
  const next = structuredClone(before);
  const { gpu, workers, cpu, templateId: _, ...whole } = structuredClone(body) as EndpointPatch;
  Object.assign(next, whole);
  if (gpu && next.gpu) applyGpu(next.gpu, gpu);
  if (workers) Object.assign(next.workers, workers);
  if (cpu) next.cpu = cpu.map(({ id, vcpuCount }) => ({ id, vcpuCount }));
  if (idleTimeoutReturns(before, body, next) && rules.idleTimeoutReturns === "default") {
    next.workers.idleTimeout = DEFAULT_IDLE_TIMEOUT_SECONDS;
  }
  return next;
}

/**
 * The body with a template's settings copied in: explicit fields beat the template's, `env` is the template's with the
 * body's keys over it (runpod-api.md 2.5, rule 11).
 */
export function withTemplate<Body extends EndpointPatch>(body: Body, template: WorldTemplate | null): Body {
  if (template === null) return body;
  const { image, args, disk, ports, registry } = template;
  return structuredClone({
    ...{ image, args, disk, ports, registry },
    ...body,
    env: { ...template.env, ...body.env },
  });
}

function applyGpu(gpu: NonNullable<WorldEndpoint["gpu"]>, patch: GpuPatch): void {
  const { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion } = patch;
  if (pools !== undefined) {
    gpu.pools = [...pools];
    gpu.excludedTypes = [...new Set((excludedTypes ?? []).map((type) => type.trim()))];
  }
  if (count !== undefined) gpu.count = count;
  if (allowedCudaVersions !== undefined) gpu.allowedCudaVersions = [...allowedCudaVersions];
  if (minCudaVersion !== undefined) gpu.minCudaVersion = minCudaVersion === "" ? null : minCudaVersion;
}

function idleTimeoutReturns(before: WorldEndpoint, body: EndpointPatch, after: WorldEndpoint): boolean {
  return body.workers?.idleTimeout === undefined && hasNoIdleTimeout(before) && !hasNoIdleTimeout(after);
}
