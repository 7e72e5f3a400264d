import { isReadbackError, ReadbackError } from "../errors.ts";
import { jsonProblem } from "../plan/json-problem.ts";
import type { RunContext } from "./context.ts";
import { bindOps, type Engine } from "./engine.ts";
import { LaterError, laterInfo } from "./later.ts";
import { seededRandom } from "./random.ts";
import type { RecipeOrigin } from "./recipe-plan.ts";
import type { Session } from "./session.ts";

/**
 * Runs a recipe on an engine until it returns. A refusal counts even when the recipe caught it; an error that is none of
 * ours is the recipe's own.
 *
 * @throws what the recipe threw, recipe_error, and the session's refusals
 */
export async function runToEnd(
  { recipe, args, startedMs }: RecipeOrigin,
  engine: Engine,
  session: Session,
  context: RunContext,
): Promise<unknown> {
  const note = (text: string): void => context.onEvent?.({ type: "note", text });
  const random = seededRandom(startedMs);
  const ops = bindOps({ now: () => new Date(startedMs), random, signal: context.signal, note }, engine);
  try {
    const value = await recipe.run(ops, args);
    session.end("returned");
    const problem = jsonProblem(value, (part) => laterInfo(part) !== null);
    if (problem !== null) throw new ReadbackError("recipe_error", noJson(recipe.name, problem));
    return value;
  } catch (error) {
    session.end("threw");
    if (isReadbackError(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new ReadbackError("recipe_error", `Recipe ${recipe.name} failed: ${text}`, { cause: error });
  }
}

/** What a plan ends with when the recipe looked at a value that only an apply can know; null for any other error. */
export function laterOf(error: unknown): LaterError | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof LaterError) return at;
  return null;
}

/** Found in the plan already, so that no change is sent whose answer could not be told. */
function noJson(recipe: string, problem: string): string {
  return `Recipe ${recipe} returned what cannot be shown as JSON: ${problem}`;
}
