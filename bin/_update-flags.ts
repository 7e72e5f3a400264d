import type { ArgDef, ArgsDef } from "citty";
import type { PatchField } from "../lib/api/endpoint.ts";
import { type Arg, type ArgValues, arg } from "../lib/arg.ts";
import { flagName } from "../lib/recipe.ts";

/** What `serverless update` can set, by runpodctl's flag names where it has one (runpod-api.md 2.5). */
export const UPDATE_ARGS = {
  name: text("NAME", "new name"),
  workersMin: arg.integer({}, "workers that always run; they bill around the clock"),
  workersMax: arg.integer({}, "most workers at a time; 0 stops the endpoint"),
  idleTimeout: arg.duration("how long a worker stays up after its last job, 1s to 1h", {
    minMs: 1000,
    maxMs: 3_600_000,
    stepMs: 1000,
  }),
  scaleBy: arg.choice(
    ["delay", "requests"],
    "what decides on more workers; needs --scale-threshold where it changes",
  ),
  scaleThreshold: arg.number(
    "seconds of queue delay (at least 0.5), or requests per worker (a whole number)",
  ),
  flashboot: arg.flashBoot(),
  executionTimeout: arg.duration("longest run of one job, at least 5s", { minMs: 5000 }),
  image: text("IMAGE", "container image"),
  args: arg.string("arguments of the container's command"),
  clearArgs: arg.flag("take the container's arguments away"),
  disk: arg.integer({ min: 1 }, "container disk in GB"),
  envFile: text("PATH", "file of NAME=value lines to set; the other keys stay"),
  envReplace: arg.flag("with --env-file: drop every key that is not in the file"),
  ports: arg.list(text("PORT/PROTOCOL", "ports such as 8000/http")),
  clearPorts: arg.flag("expose no port"),
  registry: text("ID", "id of the container registry's credential"),
  clearRegistry: arg.flag("pull the image without a credential"),
  pools: arg.list(text("POOL", "GPU pools; keeps the exclusions that still belong to one of them")),
  excludeGpus: arg.list(text("GPU", "GPU types of the pools not to run on, in place of those excluded now")),
  clearExclusions: arg.flag("exclude no GPU type of the pools"),
  gpuCount: arg.integer({ min: 1 }, "GPUs per worker"),
  minCuda: arg.cudaVersion("lowest CUDA version, major.minor; clears a list of allowed ones"),
  cuda: arg.list(arg.cudaVersion("allowed CUDA versions, major.minor; clears a floor")),
  clearCuda: arg.flag("allow every CUDA version"),
  cpu: arg.list(text("FLAVOR:VCPUS", "CPU flavors with their vCPUs, such as cpu5c:4, in place of those now")),
  dataCenterIds: arg.list(text("ID", "data centers to run in")),
  clearDataCenterIds: arg.flag("run in any data center"),
  networkVolumeIds: arg.list(text("ID", "network volumes to attach, in place of those now")),
  clearNetworkVolumeIds: arg.flag("attach no network volume"),
} as const satisfies Readonly<Record<string, Arg<unknown>>>;

export type UpdateKey = keyof typeof UPDATE_ARGS;

/** What the person asked for; what was not given is absent. */
export type UpdateValues = { readonly [K in UpdateKey]?: ArgValues<typeof UPDATE_ARGS>[K] };

/** The field of the PATCH body that each flag writes, and so its scope. */
export const FIELD_OF: Readonly<Record<UpdateKey, PatchField>> = {
  name: "name",
  ...{ workersMin: "workers", workersMax: "workers", idleTimeout: "workers" },
  ...{ scaleBy: "scaling", scaleThreshold: "scaling" },
  flashboot: "flashboot",
  executionTimeout: "timeout",
  image: "image",
  ...{ args: "args", clearArgs: "args" },
  disk: "disk",
  ...{ envFile: "env", envReplace: "env" },
  ...{ ports: "ports", clearPorts: "ports" },
  ...{ registry: "registry", clearRegistry: "registry" },
  ...{ pools: "gpu", excludeGpus: "gpu", clearExclusions: "gpu", gpuCount: "gpu" },
  ...{ minCuda: "gpu", cuda: "gpu", clearCuda: "gpu" },
  cpu: "cpu",
  ...{ dataCenterIds: "dataCenterIds", clearDataCenterIds: "dataCenterIds" },
  ...{ networkVolumeIds: "networkVolumes", clearNetworkVolumeIds: "networkVolumes" },
};

/** The flags as citty declares them. */
export function updateFlags(): ArgsDef {
  return Object.fromEntries(Object.entries(UPDATE_ARGS).map(([key, spec]) => [flagName(key), flagDef(spec)]));
}

/** What was typed, keyed as {@link UPDATE_ARGS} has it; absent flags are left out. */
export function givenUpdate(parsed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = Object.keys(UPDATE_ARGS).map((key): [string, unknown] => [key, parsed[flagName(key)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function flagDef({ kind, description, placeholder }: Arg<unknown>): ArgDef {
  return kind === "flag"
    ? { type: "boolean", description }
    : { type: "string", description, valueHint: placeholder };
}

function text(placeholder: string, description: string): Arg<string> {
  return { ...arg.string(description), placeholder };
}
