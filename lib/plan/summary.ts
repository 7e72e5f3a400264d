import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { FieldChange } from "./fields.ts";
import { allowedTypes } from "./gpu-selection.ts";
import { changeText } from "./value-text.ts";

/** One line that says what a body does, such as `Pin workers to NVIDIA L40S (pool ADA_48_PRO without 2 other types)`. */
export function summaryOf(
  after: Endpoint,
  body: EndpointPatch,
  { catalog, diff }: { readonly catalog: readonly GpuType[] | null; readonly diff: readonly FieldChange[] },
): string {
  const pin = body.gpu?.pools ? pinSummary(after, catalog) : null;
  const others = Object.keys(body).filter((key) => pin === null || key !== "gpu");
  if (pin === null) return plainSummary(others, diff);
  return others.length === 0 ? pin : `${pin}; change ${others.join(", ")}`;
}

/** One or two fields are told whole, so that a history can be read. */
function plainSummary(fields: readonly string[], diff: readonly FieldChange[]): string {
  if (diff.length === 0 || diff.length > 2 || fields.includes("templateId"))
    return `Change ${fields.join(", ")}`;
  return `Set ${diff.map(({ path, before, after }) => `${path} ${changeText(path, before, after)}`).join(", ")}`;
}

function pinSummary(after: Endpoint, catalog: readonly GpuType[] | null): string | null {
  if (!after.gpu || catalog === null) return null;
  const [only, ...more] = allowedTypes(after.gpu, catalog);
  if (only === undefined || more.length > 0) return null;
  const n = after.gpu.excludedTypes?.length ?? 0;
  const without = n === 0 ? "" : ` without ${n} other ${n === 1 ? "type" : "types"}`;
  return `Pin workers to ${only.id} (pool ${after.gpu.pools.join(", ")}${without})`;
}
