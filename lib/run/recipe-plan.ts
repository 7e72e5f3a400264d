import type { Plan } from "../plan/plan.ts";
import type { Recipe } from "../recipe.ts";

/** A plan with what it takes to run its recipe again. Nothing of that is in a document. */
export interface RecipePlan extends Plan {
  readonly origin: RecipeOrigin;
  /** Whether an apply runs the recipe again, because it waits or returns what a plan cannot know. */
  readonly runsAgain: boolean;
}

export interface RecipeOrigin {
  readonly recipe: Recipe;
  /** Arguments with endpoints as ids. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Ids of the endpoints that the person named. */
  readonly named: ReadonlySet<string>;
  /** What `ops.now()` gives, and the seed of `ops.random()`. */
  readonly startedMs: number;
}
