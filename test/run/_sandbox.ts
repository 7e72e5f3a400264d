import type { Journal, JournalEvent } from "../../lib/history/journal.ts";
import type { LoadedRecipe } from "../../lib/load/loaded-recipe.ts";
import type { RunResult } from "../../lib/plan/result.ts";
import type { Recipe } from "../../lib/recipe.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import type { ApplyContext } from "../../lib/run/context.ts";
import type { RunEvent } from "../../lib/run/events.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { RecipePlan } from "../../lib/run/recipe-plan.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../lib/sandbox/mod.ts";
import pinGpu from "../../recipes/pin-gpu.ts";

/** A sandbox in this process, and a context whose waits move its clock at once. */
export interface Bench {
  readonly box: Sandbox;
  readonly context: ApplyContext;
  readonly events: RunEvent[];
  readonly journal: JournalEvent[];
  /** Requests so far, as `METHOD path`. */
  sent(): readonly string[];
}

export function bench(options: SandboxOptions = {}, signal = new AbortController().signal): Bench {
  const box = createSandbox(options);
  const events: RunEvent[] = [];
  const journal: JournalEvent[] = [];
  const memory: Journal = { append: async (event) => void journal.push(event), close: async () => {} };
  const context: ApplyContext = {
    target: {
      controlUrl: box.origin,
      invokeUrl: `${box.origin}/invoke/v2`,
      host: new URL(box.origin).host,
      key: box.key,
      readKey: box.key,
      keySource: "sandbox",
      timeoutMs: 30_000,
    },
    clock: box.clock,
    signal,
    fetch: (request) => box.fetch(request),
    onEvent: (event) => events.push(event),
    startJournal: async () => memory,
  };
  return {
    box,
    context,
    events,
    journal,
    sent: () => box.requests.map(({ method, path }) => `${method} ${path}`),
  };
}

export function loaded(recipe: Recipe): LoadedRecipe {
  return { recipe, source: "built-in", digest: "sha256:0" };
}

export const pin = { endpoint: "4m7x2k9q", gpu: "NVIDIA L40S" };

export async function planPin(at: Bench, given: Record<string, unknown> = pin): Promise<RecipePlan> {
  return await planRecipe(loaded(pinGpu), given, at.context);
}

export async function applyPin(at: Bench, given: Record<string, unknown> = pin): Promise<RunResult> {
  return await applyPlan(await planPin(at, given), at.context);
}
