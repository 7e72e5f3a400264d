import type { BuiltInRecipe, BuiltInRecipes, LoadedRecipe } from "../lib/load/loaded-recipe.ts";

const LOADERS: Readonly<Record<string, BuiltInRecipe["load"]>> = {
  diagnose: () => import("../recipes/diagnose.ts"),
  "pin-gpu": () => import("../recipes/pin-gpu.ts"),
};

/** The names of the recipes that come with Readback. */
export function recipeNames(): readonly string[] {
  return Object.keys(LOADERS);
}

/** True for the name of a recipe that comes with Readback. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(LOADERS, name);
}

/** Loads a recipe by its name or by a path, which starts where the person stands. @throws usage_error, recipe_error */
export async function loadNamedRecipe(word: string): Promise<LoadedRecipe> {
  const { loadRecipe } = await import("../lib/load/load-recipe.ts");
  const { environment, startFolder } = await import("../lib/config.ts");
  return await loadRecipe(word, { builtIn: builtInRecipes(), folder: startFolder(environment()) });
}

function builtInRecipes(): BuiltInRecipes {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return Object.fromEntries(
    Object.entries(LOADERS).map(([name, load]) => [
      name,
      { load, url: new URL(`../recipes/${name}.${extension}`, import.meta.url) },
    ]),
  );
}
