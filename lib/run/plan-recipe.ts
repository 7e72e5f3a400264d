import { createLookClient } from "../api/client.ts";
import type { LoadedRecipe } from "../load/loaded-recipe.ts";
import type { Unknown } from "../plan/plan.ts";
import { parseRecipeArgs } from "../recipe.ts";
import type { Scope } from "../scopes.ts";
import { clientOptions, type RunContext } from "./context.ts";
import { createEngine } from "./create-engine.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { holdsLater, type LaterInfo } from "./later.ts";
import { createPlanMode, type PlanMode } from "./plan-mode.ts";
import { boundByPoll } from "./poll-bounds.ts";
import { createReadMode } from "./read-mode.ts";
import { readNow } from "./read-now.ts";
import type { RecipeOrigin, RecipePlan } from "./recipe-plan.ts";
import { resolveArgs } from "./resolve-args.ts";
import { laterOf, runToEnd } from "./run-to-end.ts";
import { createSession } from "./session.ts";
import { createView, type View } from "./view.ts";

/**
 * Runs a recipe once with real reads and recorded changes: the mutations that it would make now. It cannot send one.
 *
 * @param given what the person typed, keyed as in `recipe.args`
 * @throws usage_error for bad arguments and for values that the reads prove wrong, not_found, undeclared_mutation,
 * endpoint_not_named, recipe_error, interrupted, and what reads can fail with
 */
export async function planRecipe(
  loaded: LoadedRecipe,
  given: Readonly<Record<string, unknown>>,
  context: RunContext,
): Promise<RecipePlan> {
  return await runOnce(loaded, given, context, createPlanMode);
}

/**
 * Runs a read-only recipe for real: it waits, and takes a stream's chunks. Still it cannot send a change.
 *
 * @returns its plan, without mutations, complete, with what the recipe returned as `value`
 * @throws what `planRecipe` can throw, and wait_timeout, job_failed
 */
export async function runReadOnly(
  loaded: LoadedRecipe,
  given: Readonly<Record<string, unknown>>,
  context: RunContext,
): Promise<RecipePlan> {
  return await runOnce(loaded, given, context, createReadMode);
}

async function runOnce(
  loaded: LoadedRecipe,
  given: Readonly<Record<string, unknown>>,
  context: RunContext,
  createMode: (view: View) => PlanMode,
): Promise<RecipePlan> {
  const { recipe } = loaded;
  const parsed = parseRecipeArgs(recipe, given);
  const client = boundByPoll(createLookClient(context.target, clientOptions(context, context.signal)));
  const { values: args, named, answered } = await resolveArgs(recipe, parsed, client);
  const origin: RecipeOrigin = { recipe, args, named, startedMs: context.clock.now() };
  const session = createSession(recipe.name, (error) => context.onEvent?.({ type: "late", error }));
  const view = createView(client, answered, (endpoint) => context.onEvent?.({ type: "read", endpoint }));
  const mode = createMode(view);
  const engine = createEngine({
    ...context,
    client,
    clientOptions: clientOptions(context, context.signal),
    view,
    session,
    grants: { recipe: recipe.name, scopes: new Set(recipe.mutates), named },
    mode,
    note: (text) => context.onEvent?.({ type: "note", text }),
    submitted: new Map(),
  });
  const ended = await endOf(() => runToEnd(origin, engine, session, context), mode, recipe.mutates);
  const changed = mode.mutations.flatMap(({ endpoint }) => (endpoint === null ? [] : [endpoint]));
  const now = await readNow(view, context.target, context.readsNow === false ? [] : changed);
  const reached = new Set(mode.mutations.flatMap((mutation) => mutation.scopes));
  return {
    recipe: { name: recipe.name, source: loaded.source, digest: loaded.digest },
    args,
    declares: recipe.mutates,
    host: context.target.host,
    createdAt: new Date(origin.startedMs).toISOString(),
    endpoints: [...view.firstReads.values()].map((endpoint) => ({
      endpoint,
      fingerprint: fingerprintOf(endpoint),
    })),
    mutations: [...mode.mutations],
    waits: [...mode.waits],
    complete: ended.unknown === null,
    unknown: ended.unknown,
    now,
    unusedScopes: recipe.mutates.filter((scope) => !reached.has(scope)),
    reads: client.reads,
    value: ended.value,
    origin,
    runsAgain: mode.waits.length > 0 || ended.unknown !== null || holdsLater(ended.value),
  };
}

interface PlanEnd {
  readonly value: unknown;
  readonly unknown: Unknown | null;
}

/** A look at a value that only an apply can know ends the plan there, and leaves it incomplete. */
async function endOf(
  run: () => Promise<unknown>,
  mode: PlanMode,
  declared: readonly Scope[],
): Promise<PlanEnd> {
  const unknown = ({ step, text }: LaterInfo): Unknown => ({ step, text, remainingScopes: declared });
  try {
    const value = await run();
    return mode.looked ? { value: null, unknown: unknown(mode.looked) } : { value, unknown: null };
  } catch (error) {
    const later = laterOf(error);
    if (later === null) throw error;
    return { value: null, unknown: unknown(later.later) };
  }
}
