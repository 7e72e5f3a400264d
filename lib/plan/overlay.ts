import type { Endpoint, EndpointGpu, EndpointPatch, GpuPatch } from "../api/endpoint.ts";

/** What an endpoint will read like after a PATCH, and the fields that nobody can know beforehand. */
export interface Overlay {
  readonly endpoint: Endpoint;
  /** Paths (or their beginnings) whose value only a read can tell. */
  readonly unknown: readonly string[];
}

/**
 * Lays a PATCH body over an endpoint as the service does (runpod-api.md 2.5): sparse, also one level down for
 * `workers` and `gpu`; `pools` replaces the exclusions too; a queue endpoint on REQUEST_COUNT has no idle timeout.
 *
 * The body is taken to be valid; whether the service would accept it is `serverProblems`' question.
 */
export function overlay(endpoint: Endpoint, body: EndpointPatch): Overlay {
  const { gpu, workers, templateId, cpu, ...whole } = body;
  const next: Endpoint = {
    ...endpoint,
    ...whole,
    ...(cpu ? { cpu } : {}),
    ...(gpu && endpoint.gpu ? { gpu: overlayGpu(endpoint.gpu, gpu) } : {}),
    ...(workers ? { workers: { ...endpoint.workers, ...workers } } : {}),
  };
  return {
    endpoint: withoutIdleTimeout(withHealthUrl(endpoint, next)),
    unknown: [...unknownIdleTimeout(endpoint, body, next), ...unknownOfTemplate(body)],
  };
}

function overlayGpu(before: EndpointGpu, patch: GpuPatch): EndpointGpu {
  const { minCudaVersion, excludedTypes, ...rest } = patch;
  return {
    ...before,
    ...rest,
    ...(patch.pools ? { excludedTypes: (excludedTypes ?? []).map((type) => type.trim()) } : {}),
    ...(minCudaVersion === undefined
      ? {}
      : { minCudaVersion: minCudaVersion === "" ? null : minCudaVersion }),
  };
}

function withoutIdleTimeout(endpoint: Endpoint): Endpoint {
  if (!hidesIdleTimeout(endpoint)) return endpoint;
  const { idleTimeout: _, ...workers } = endpoint.workers;
  return { ...endpoint, workers };
}

/** A load balancer's health URL follows HEALTH_CHECK_PATH, default /ping (runpod-api.md 2.4). */
function withHealthUrl(before: Endpoint, after: Endpoint): Endpoint {
  const base = before.requestUrls?.["base"];
  const moved = before.env?.["HEALTH_CHECK_PATH"] !== after.env?.["HEALTH_CHECK_PATH"];
  if (base === undefined || !moved) return after;
  const path = after.env?.["HEALTH_CHECK_PATH"] || "/ping";
  return {
    ...after,
    requestUrls: { ...after.requestUrls, health: base + (path.startsWith("/") ? path : `/${path}`) },
  };
}

/** True for the combination that has no idle timeout in reads (runpod-api.md 2.5, rule 7). */
export function hidesIdleTimeout(endpoint: Endpoint): boolean {
  return endpoint.type !== "LOAD_BALANCER" && endpoint.scaling.type === "REQUEST_COUNT";
}

function unknownIdleTimeout(before: Endpoint, body: EndpointPatch, after: Endpoint): readonly string[] {
  const returns = hidesIdleTimeout(before) && !hidesIdleTimeout(after);
  return returns && body.workers?.idleTimeout === undefined ? ["workers.idleTimeout"] : [];
}

/** A template is copied in once, by fields that only the service knows (runpod-api.md 2.5, rule 11). */
function unknownOfTemplate(body: EndpointPatch): readonly string[] {
  if (body.templateId === undefined) return [];
  const copied = (["image", "args", "disk", "ports", "registry"] as const).filter(
    (key) => body[key] === undefined,
  );
  return [...copied, "env", "requestUrls.health"];
}
