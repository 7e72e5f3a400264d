import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import { allowedTypes } from "./gpu-selection.ts";

/** One line that says what a body does, such as `Pin workers to NVIDIA L40S (pool ADA_48_PRO without 2 other types)`. */
export function summaryOf(after: Endpoint, body: EndpointPatch, catalog: readonly GpuType[] | null): string {
  const pin = body.gpu?.pools ? pinSummary(after, catalog) : null;
  const others = Object.keys(body).filter((key) => pin === null || key !== "gpu");
  if (pin === null) return `Change ${others.join(", ")}`;
  return others.length === 0 ? pin : `${pin}; change ${others.join(", ")}`;
}

function pinSummary(after: Endpoint, catalog: readonly GpuType[] | null): string | null {
  if (!after.gpu || catalog === null) return null;
  const [only, ...more] = allowedTypes(after.gpu, catalog);
  if (only === undefined || more.length > 0) return null;
  const n = after.gpu.excludedTypes?.length ?? 0;
  const without = n === 0 ? "" : ` without ${n} other ${n === 1 ? "type" : "types"}`;
  return `Pin workers to ${only.id} (pool ${after.gpu.pools.join(", ")}${without})`;
}
