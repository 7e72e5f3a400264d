import { createLookClient } from "../api/client.ts";
import { ReadbackError } from "../errors.ts";
import type { LoadedRecipe } from "../load/loaded-recipe.ts";
import type { Ops } from "../ops.ts";
import type { Plan } from "../plan/plan.ts";
import { parseRecipeArgs } from "../recipe.ts";
import type { Scope } from "../scopes.ts";
import { clientOptions, type RunContext } from "./context.ts";
import { bindOps } from "./engine.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { createPlanner } from "./planner.ts";
import { seededRandom } from "./random.ts";
import { resolveArgs } from "./resolve-args.ts";
import { createSession } from "./session.ts";
import { createView } from "./view.ts";

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
): Promise<Plan> {
  const { recipe } = loaded;
  const parsed = parseRecipeArgs(recipe, given);
  const note = (text: string): void => context.onEvent?.({ type: "note", text });
  const client = createLookClient(context.target, clientOptions(context, context.signal));
  const args = await resolveArgs(recipe, parsed, client);
  const session = createSession(recipe.name);
  const view = createView(client, args.answered);
  const grants = { recipe: recipe.name, scopes: new Set(recipe.mutates), named: args.named };
  const { engine, mutations } = createPlanner({ target: context.target, view, session, grants, note });
  const startedMs = context.clock.now();
  const random = seededRandom(startedMs);
  const ops = bindOps({ now: () => new Date(startedMs), random, signal: context.signal, note }, engine);
  const value = await runToEnd(loaded, ops, args.values, session);
  const reached = new Set(mutations.flatMap((mutation) => mutation.scopes));
  return {
    recipe: { name: recipe.name, source: loaded.source, digest: loaded.digest },
    args: args.values,
    declares: recipe.mutates,
    host: context.target.host,
    createdAt: new Date(startedMs).toISOString(),
    endpoints: [...view.firstReads.values()].map((endpoint) => ({
      endpoint,
      fingerprint: fingerprintOf(endpoint),
    })),
    mutations: [...mutations],
    unusedScopes: recipe.mutates.filter((scope) => !reached.has(scope)),
    reads: client.reads,
    value,
  };
}

/** A refusal counts even when the recipe caught it; any other error is the recipe's own. */
async function runToEnd(
  { recipe }: LoadedRecipe,
  ops: Ops<Scope>,
  args: Readonly<Record<string, unknown>>,
  session: ReturnType<typeof createSession>,
): Promise<unknown> {
  try {
    const value = await recipe.run(ops, args);
    session.end("returned");
    return value;
  } catch (error) {
    session.end("threw");
    if (error instanceof ReadbackError) throw error;
    const place = error instanceof Error ? error.message : String(error);
    throw new ReadbackError("recipe_error", `Recipe ${recipe.name} failed: ${place}`, { cause: error });
  }
}
