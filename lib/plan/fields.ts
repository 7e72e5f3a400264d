/** One field of an endpoint that differs, by its path such as `gpu.pools` or `env.MODEL`. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists whose order means nothing to the service. `pools` is not among them: its order may be a priority. */
const SETS: ReadonlySet<string> = new Set(["gpu.excludedTypes", "gpu.allowedCudaVersions", "dataCenterIds"]);

/** Absent, null and [] are one value here, shown as []. */
const LISTS: ReadonlySet<string> = new Set([...SETS, ...["gpu.pools", "networkVolumes", "ports", "cpu"]]);

/** Absent, null and "" are one value here (runpod-api.md 2.5: `""` clears a floor and reads back null). */
const CLEARABLE_TEXTS: ReadonlySet<string> = new Set(["gpu.minCudaVersion", "args", "registry"]);

/** Kept by the service about the endpoint, not settings of it; no current read has them (runpod-api.md 2.4). */
const BOOKKEEPING: ReadonlySet<string> = new Set(["version", "endpointVersion", "updatedAt"]);

/** The settings of an endpoint as path → value: objects are walked into, lists are values. */
export function fieldsOf(endpoint: object): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  collect(endpoint, "", fields);
  return fields;
}

/** The fields in which two reads differ as values, in the order of the reads. Order of `pools` alone is no difference. */
export function changedFields(before: object, after: object): readonly FieldChange[] {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => !sameValue(path, old.get(path), now.get(path)))
    .map((path) => ({ path, before: shown(path, old.get(path)), after: shown(path, now.get(path)) }));
}

/** True when two values of a field mean the same to the service. */
export function sameValue(path: string, a: unknown, b: unknown): boolean {
  return canonical(path, a) === canonical(path, b);
}

/** True when two lists hold the same in another order: worth a word where the order may be a priority. */
export function reordered(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b) && sortedText(a) === sortedText(b);
}

/** A value as a document shows it: an absent list is [], any other absent value null. */
export function shown(path: string, value: unknown): unknown {
  return value ?? (LISTS.has(path) ? [] : null);
}

function collect(value: object, prefix: string, into: Map<string, unknown>): void {
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (BOOKKEEPING.has(path)) continue;
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) collect(inner, path, into);
    else into.set(path, inner);
  }
}

function canonical(path: string, value: unknown): string {
  if (value === undefined || value === null) return path === "gpu.count" ? "1" : "";
  if (value === "" && CLEARABLE_TEXTS.has(path)) return "";
  if (Array.isArray(value)) return canonicalList(path, value);
  // queueDelay is a 32-bit float in the API document, so 4.3 may come back as 4.300000190734863.
  if (path === "scaling.queueDelay" && typeof value === "number") return String(Math.fround(value));
  return JSON.stringify(value);
}

function canonicalList(path: string, list: readonly unknown[]): string {
  if (list.length === 0) return "";
  const items = list.map((item) => (typeof item === "string" ? item.trim() : item));
  if (SETS.has(path)) return sortedText([...new Set(items)]);
  if (path === "gpu.pools") return sortedText(items);
  // memory is derived by the service from the flavor and the number of vCPUs.
  if (path === "cpu")
    return JSON.stringify(items.map((item) => ({ ...(item as object), memory: undefined })));
  return JSON.stringify(items);
}

function sortedText(value: unknown): string {
  return Array.isArray(value)
    ? JSON.stringify(value.map((item) => JSON.stringify(item)).sort())
    : String(value);
}
