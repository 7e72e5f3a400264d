import { ReadbackError } from "../errors.ts";
import type { Change } from "./change.ts";
import type { Engine, PatchRequest } from "./engine.ts";
import { diagnosisSteps } from "./engine-diagnosis.ts";
import { jobSteps } from "./engine-jobs.ts";
import { logSteps } from "./engine-logs.ts";
import type { EngineParts } from "./engine-parts.ts";
import { readSteps } from "./engine-reads.ts";
import { shellSteps } from "./engine-shell.ts";
import { streamSteps } from "./engine-stream.ts";
import { waitSteps } from "./engine-waits.ts";
import { planPatch } from "./plan-patch.ts";

/** The engine behind the steps: reads, checks and changes, tracked by the session and carried out by the mode. */
export function createEngine(parts: EngineParts): Engine {
  const { session, view } = parts;
  return {
    readEndpoint: (id) => session.step("readEndpoint", "look", () => view.endpoint(id)),
    gpuTypes: () => session.step("gpuTypes", "look", () => view.gpuTypes()),
    patch: (request) => session.step(request.step, "change", () => commitPatch(request, parts)),
    // Every change is read back where it is sent; this step says that the recipe rests on it.
    assertReadBack: (change) => session.step("assertReadBack", "look", async () => assertOfThisRun(change)),
    ...readSteps(parts),
    ...logSteps(parts),
    ...diagnosisSteps(parts),
    ...jobSteps(parts),
    ...waitSteps(parts),
    ...streamSteps(parts),
    ...shellSteps(parts),
  };
}

async function commitPatch(request: PatchRequest, parts: EngineParts): Promise<Change> {
  const { before, mutation } = await planPatch(request, parts.mode.nextNumber(), parts);
  if (mutation !== null) await parts.mode.commit(mutation);
  return { endpoint: request.endpoint, before, mutation };
}

function assertOfThisRun(change: Change): void {
  if (typeof change?.endpoint !== "string" || change.mutation === undefined)
    throw new ReadbackError("recipe_error", "assertReadBack was not given what patch gives");
}
