import type { Endpoint, EndpointPatch, GpuPatch } from "../api/endpoint.ts";
import { hidesIdleTimeout, overlay } from "./overlay.ts";

/** Whether and how a change can be taken back. */
export type Undo =
  | { readonly possible: true; readonly body: EndpointPatch }
  | { readonly possible: false; readonly why: string };

/** The body that puts back what `body` changes, from the read before it; it writes the same fields and no others. */
export function undoOf(before: Endpoint, body: EndpointPatch): Undo {
  if (body.templateId !== undefined)
    return {
      possible: false,
      why: "a template's fields are copied in by the service and not known beforehand",
    };
  if (body.env !== undefined) return { possible: false, why: "values of env are not recorded" };
  const missing = wholeFields(body).filter((key) => before[key] === undefined);
  if (missing.length > 0)
    return {
      possible: false,
      why: `the read before has no ${missing.join(", ")}, and the API cannot unset it`,
    };
  return { possible: true, body: inverse(before, body) };
}

type WholeField = Exclude<keyof EndpointPatch, "gpu" | "workers" | "scaling" | "env" | "templateId" | "cpu">;

function wholeFields(body: EndpointPatch): readonly WholeField[] {
  const apart = ["gpu", "workers", "scaling", "env", "templateId", "cpu"];
  return Object.keys(body).filter((key): key is WholeField => !apart.includes(key));
}

function inverse(before: Endpoint, body: EndpointPatch): EndpointPatch {
  const whole = Object.fromEntries(wholeFields(body).map((key) => [key, before[key]]));
  const workers = inverseWorkers(before, body);
  return {
    ...(body.gpu && before.gpu ? { gpu: inverseGpu(before, body.gpu) } : {}),
    ...(body.cpu && before.cpu ? { cpu: before.cpu.map(({ id, vcpuCount }) => ({ id, vcpuCount })) } : {}),
    ...(workers ? { workers } : {}),
    ...(body.scaling ? { scaling: before.scaling } : {}),
    ...whole,
  };
}

function inverseGpu(before: Endpoint, patch: GpuPatch): GpuPatch {
  const gpu = before.gpu;
  return {
    ...(patch.pools ? { pools: gpu?.pools ?? [], excludedTypes: gpu?.excludedTypes ?? [] } : {}),
    ...(patch.count === undefined ? {} : { count: gpu?.count ?? 1 }),
    ...(patch.allowedCudaVersions ? { allowedCudaVersions: gpu?.allowedCudaVersions ?? [] } : {}),
    ...(patch.minCudaVersion === undefined ? {} : { minCudaVersion: gpu?.minCudaVersion ?? "" }),
  };
}

/** An idle timeout that a switch of the scaler made vanish is put back too; one that was not there is left out. */
function inverseWorkers(before: Endpoint, body: EndpointPatch): EndpointPatch["workers"] | null {
  const vanished = hidesIdleTimeout(overlay(before, body).endpoint) && !hidesIdleTimeout(before);
  const idle = body.workers?.idleTimeout !== undefined || vanished ? before.workers.idleTimeout : undefined;
  const workers = {
    ...(body.workers?.min === undefined ? {} : { min: before.workers.min }),
    ...(body.workers?.max === undefined ? {} : { max: before.workers.max }),
    ...(idle === undefined ? {} : { idleTimeout: idle }),
  };
  return Object.keys(workers).length > 0 ? workers : null;
}
