import { digestOf } from "../load/digest.ts";
import type { LoadedRecipe } from "../load/loaded-recipe.ts";
import type { Plan } from "../plan/plan.ts";
import type { RunResult } from "../plan/result.ts";
import type { Recipe } from "../recipe.ts";
import { applyPlan } from "../run/apply-plan.ts";
import type { ApplyContext } from "../run/context.ts";
import { planRecipe } from "../run/plan-recipe.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../sandbox/mod.ts";
import type { Target } from "../target.ts";

/** A recipe's arguments by the names of `args`, with values as typed; a number stands for its text. */
export type BenchArgs = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A sandbox of one's own, to plan and apply recipes in. No port is opened and nothing is recorded. */
export interface Bench {
  /** Its world, faults and clock; a wait of a recipe moves the clock at once. */
  readonly sandbox: Sandbox;
  /** What recipes told by `ops.note`, and other lines worth knowing. */
  readonly notes: readonly string[];
  /** Requests so far, as `METHOD path`. */
  requests(): readonly string[];
  /** What a dry run shows. @throws what `readback run … --dry-run` fails with */
  plan(recipe: Recipe, args?: BenchArgs): Promise<Plan>;
  /** Plans, applies without asking, and reads back; what went wrong after the plan is in `error`. @throws what a plan fails with */
  apply(recipe: Recipe, args?: BenchArgs): Promise<RunResult>;
}

/**
 * Makes a bench with a fresh sandbox.
 *
 * @example
 * const bench = createBench({ scenario: "healthy" });
 * const { mutations } = await bench.plan(setMax, { endpoint: "image-generator", max: 3 });
 * const { outcome } = await bench.apply(setMax, { endpoint: "image-generator", max: 3 }); // "applied"
 */
export function createBench(options: SandboxOptions = {}): Bench {
  const sandbox = createSandbox(options);
  const notes: string[] = [];
  const context: ApplyContext = {
    target: targetOf(sandbox),
    clock: sandbox.clock,
    signal: new AbortController().signal,
    fetch: (request) => sandbox.fetch(request),
    onEvent: (event) => void (event.type === "note" && notes.push(event.text)),
    startJournal: null,
  };
  const plan = (recipe: Recipe, args: BenchArgs = {}) => planRecipe(loadedOf(recipe), typed(args), context);
  return {
    sandbox,
    notes,
    requests: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
    plan,
    apply: async (recipe, args) => await applyPlan(await plan(recipe, args), context),
  };
}

function targetOf({ origin, key }: Sandbox): Target {
  return {
    controlUrl: origin,
    invokeUrl: `${origin}/invoke/v2`,
    host: new URL(origin).host,
    key,
    readKey: key,
    keySource: "the sandbox",
    timeoutMs: 30_000,
  };
}

function loadedOf(recipe: Recipe): LoadedRecipe {
  return { recipe, source: "test", digest: digestOf(recipe.name) };
}

function typed(args: BenchArgs): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === "number" ? String(value) : value]),
  );
}
