import { patchBodyProblems } from "../lib/api/patch-schema.ts";
import { ReadbackError } from "../lib/errors.ts";
import { flagName } from "../lib/recipe.ts";
import { fixedBody } from "./_update-body.ts";
import { UPDATE_ARGS, type UpdateKey, type UpdateValues } from "./_update-flags.ts";
import { thresholdMisfit } from "./_update-threshold.ts";

/** Flags that say different things about the same. */
const EXCLUSIVE: readonly (readonly [UpdateKey, UpdateKey])[] = [
  ["minCuda", "cuda"],
  ["minCuda", "clearCuda"],
  ["cuda", "clearCuda"],
  ["excludeGpus", "clearExclusions"],
  ["args", "clearArgs"],
  ["ports", "clearPorts"],
  ["registry", "clearRegistry"],
  ["dataCenterIds", "clearDataCenterIds"],
  ["networkVolumeIds", "clearNetworkVolumeIds"],
];

/** Everything that is wrong with an update by itself, found before anything is read. @throws usage_error */
export function checkUpdate(values: UpdateValues): void {
  const problem =
    nothingGiven(values) ??
    exclusive(values) ??
    lonelyReplace(values) ??
    repeated(values) ??
    workerBounds(values) ??
    thresholdProblem(values) ??
    bodyProblem(values);
  if (problem !== null)
    throw new ReadbackError("usage_error", problem, { followUp: "readback serverless update --help" });
}

function nothingGiven(values: UpdateValues): string | null {
  return Object.keys(values).length > 0
    ? null
    : `Nothing to update: give at least one of ${Object.keys(UPDATE_ARGS).map(flag).join(", ")}`;
}

function exclusive(values: UpdateValues): string | null {
  const pair = EXCLUSIVE.find(([a, b]) => values[a] !== undefined && values[b] !== undefined);
  return pair === undefined
    ? null
    : `Cannot use ${flag(pair[0])} and ${flag(pair[1])} together: they exclude each other`;
}

function lonelyReplace({ envFile, envReplace }: UpdateValues): string | null {
  return envReplace === true && envFile === undefined ? "--env-replace goes with --env-file" : null;
}

function repeated(values: UpdateValues): string | null {
  for (const [key, value] of Object.entries(values)) {
    const twice = Array.isArray(value) ? value.find((item, i) => value.indexOf(item) !== i) : undefined;
    if (twice !== undefined) return `${flag(key)} names ${twice} more than once`;
  }
  return null;
}

function workerBounds({ workersMin: min, workersMax: max }: UpdateValues): string | null {
  return min !== undefined && max !== undefined && min > max
    ? `--workers-min ${min} is above --workers-max ${max}`
    : null;
}

/** Without --scale-by the endpoint tells which kind it is; a threshold that fits neither needs no look. */
function thresholdProblem({ scaleBy, scaleThreshold }: UpdateValues): string | null {
  return scaleThreshold === undefined ? null : thresholdMisfit(scaleBy ?? "delay", scaleThreshold);
}

function bodyProblem(values: UpdateValues): string | null {
  const problems = patchBodyProblems(fixedBody(values));
  return problems.length > 0 ? `Cannot update: ${problems.join("; ")}` : null;
}

function flag(key: string): string {
  return `--${flagName(key)}`;
}
