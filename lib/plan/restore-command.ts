import type { Endpoint } from "../api/endpoint.ts";
import type { FieldChange } from "./fields.ts";

/**
 * The command that puts moved fields of an endpoint back, or null where `serverless update` has no flags for one of them
 * (values of env are in no text). GPU selections are put back whole, as the API takes them.
 */
export function restoreCommand(before: Endpoint, moved: readonly FieldChange[]): string | null {
  const flags = new Map<string, string | null>();
  for (const { path, before: value } of moved) {
    const make = Object.hasOwn(FLAGS, path) ? FLAGS[path] : undefined;
    const made = make?.(value, before);
    if (made === undefined) return null;
    for (const [flag, text] of made) flags.set(flag, text);
  }
  // A value that starts with - is given after =.
  const words = [...flags].map(([flag, text]) =>
    text === null ? flag : flag + (/^"?-/.test(text) ? "=" : " ") + text,
  );
  return words.length === 0 || words.some((word) => word.includes(UNQUOTABLE))
    ? null
    : ["readback serverless update", before.id, ...words].join(" ");
}

type Flags = readonly (readonly [flag: string, value: string | null])[];
type Make = (value: unknown, before: Endpoint) => Flags | undefined;

const UNQUOTABLE = "\0";

const FLAGS: Readonly<Record<string, Make>> = {
  name: plainly("--name"),
  image: plainly("--image"),
  disk: plainly("--disk"),
  args: orClear("--args"),
  registry: orClear("--registry"),
  ports: orClear("--ports"),
  dataCenterIds: orClear("--data-center-ids"),
  networkVolumes: orClear("--network-volume-ids"),
  // `update` takes no shorter one.
  timeout: (value) => (Number(value) < 5000 ? undefined : [["--execution-timeout", `${value}ms`]]),
  flashboot: (value) => {
    const word = { OFF: "off", FLASHBOOT: "on", PRIORITY_FLASHBOOT: "priority" }[String(value)];
    return word === undefined ? undefined : [["--flashboot", word]];
  },
  "workers.min": plainly("--workers-min"),
  "workers.max": plainly("--workers-max"),
  "workers.idleTimeout": plainly("--idle-timeout"),
  "scaling.type": scaler,
  "scaling.queueDelay": scaler,
  "scaling.requestCount": scaler,
  "gpu.pools": selection,
  "gpu.excludedTypes": selection,
  "gpu.count": plainly("--gpu-count"),
  "gpu.minCudaVersion": cuda,
  "gpu.allowedCudaVersions": cuda,
};

function plainly(flag: string): Make {
  return (value) => (value === null || value === undefined ? undefined : [[flag, quoted(value)]]);
}

function orClear(flag: string): Make {
  return (value) => (isEmpty(value) ? [[flag.replace("--", "--clear-"), null]] : [[flag, quoted(value)]]);
}

function scaler(_: unknown, { scaling }: Endpoint): Flags {
  const [by, target] =
    scaling.type === "QUEUE_DELAY" ? ["delay", scaling.queueDelay] : ["requests", scaling.requestCount];
  return [
    ["--scale-by", String(by)],
    ["--scale-threshold", String(target)],
  ];
}

function selection(_: unknown, { gpu }: Endpoint): Flags | undefined {
  if (!gpu) return undefined;
  const excluded = gpu.excludedTypes ?? [];
  return [
    ["--pools", quoted(gpu.pools)],
    excluded.length === 0 ? ["--clear-exclusions", null] : ["--exclude-gpus", quoted(excluded)],
  ];
}

function cuda(_: unknown, { gpu }: Endpoint): Flags | undefined {
  if (!gpu) return undefined;
  if (gpu.allowedCudaVersions.length > 0) return [["--cuda", quoted(gpu.allowedCudaVersions)]];
  return gpu.minCudaVersion === null
    ? [["--clear-cuda", null]]
    : [["--min-cuda", quoted(gpu.minCudaVersion)]];
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** A value that no simple quotes hold is left to the person. */
function quoted(value: unknown): string {
  const text = Array.isArray(value) ? value.join(",") : String(value);
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!\n]/.test(text) ? UNQUOTABLE : `"${text}"`;
}
