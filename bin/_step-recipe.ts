import type { LoadedRecipe } from "../lib/load/loaded-recipe.ts";
import type { Recipe } from "../lib/recipe.ts";

/** Makes the recipe that a single-step command is in disguise ready to be planned, like one of a file. */
export async function stepRecipe(recipe: Recipe, about: readonly unknown[]): Promise<LoadedRecipe> {
  const { digestOf } = await import("../lib/load/digest.ts");
  return { recipe, source: "built-in", digest: digestOf(JSON.stringify([recipe.name, ...about])) };
}
