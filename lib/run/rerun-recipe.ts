import { createLookClient } from "../api/client.ts";
import type { Applier } from "./applier.ts";
import { createApplyMode } from "./apply-mode.ts";
import { type ApplyContext, clientOptions } from "./context.ts";
import { createEngine } from "./create-engine.ts";
import { boundByPoll } from "./poll-bounds.ts";
import type { RecipePlan } from "./recipe-plan.ts";
import { runToEnd } from "./run-to-end.ts";
import { createSession } from "./session.ts";
import { createView } from "./view.ts";

/**
 * Runs a plan's recipe again, for real, with the plan as constraint.
 *
 * @returns what the recipe returned
 * @throws plan_mismatch - it would make another change than the plan showed; what else a recipe can end with
 */
export async function rerunRecipe(
  plan: RecipePlan,
  context: ApplyContext,
  applier: Applier,
): Promise<unknown> {
  const { recipe, named } = plan.origin;
  const client = boundByPoll(createLookClient(context.target, clientOptions(context, context.signal)));
  const session = createSession(recipe.name, (error) => context.onEvent?.({ type: "late", error }));
  const view = createView(client, new Map(), (endpoint) => context.onEvent?.({ type: "read", endpoint }));
  const engine = createEngine({
    ...context,
    client,
    clientOptions: clientOptions(context, context.signal),
    view,
    session,
    grants: { recipe: recipe.name, scopes: new Set(recipe.mutates), named },
    mode: createApplyMode(plan, applier, view),
    note: (text) => context.onEvent?.({ type: "note", text }),
    submitted: new Map(),
  });
  return await runToEnd(plan.origin, engine, session, context);
}
