import type { BuiltInRecipe, BuiltInRecipes, LoadedRecipe } from "../lib/load/loaded-recipe.ts";
import type { Team } from "../lib/team/team.ts";
import { withOwnStdout } from "./_output.ts";
import { readTeam } from "./_team.ts";

const LOADERS: Readonly<Record<string, BuiltInRecipe["load"]>> = {
  "bounce-workers": () => import("../recipes/bounce-workers.ts"),
  "cancel-job": () => import("../recipes/cancel-job.ts"),
  "deploy-image": () => import("../recipes/deploy-image.ts"),
  "cold-start-tune": () => import("../recipes/cold-start-tune.ts"),
  diagnose: () => import("../recipes/diagnose.ts"),
  "pin-gpu": () => import("../recipes/pin-gpu.ts"),
  "purge-queue": () => import("../recipes/purge-queue.ts"),
  verify: () => import("../recipes/verify.ts"),
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
  const folder = startFolder(environment());
  const team = await readTeam();
  const files = await teamFiles(team, folder);
  const options = { builtIn: builtInRecipes(), folder, team: files };
  const loaded = await withOwnStdout(() => loadRecipe(word, options));
  if (team === null) return loaded;
  const { assertDefaults, withDefaults } = await import("../lib/team/with-defaults.ts");
  assertDefaults(team, [...recipeNames(), ...files.keys()]);
  return { ...loaded, recipe: withDefaults(loaded.recipe, team) };
}

/** The recipes of the team's folders: name → files, relative to where the person stands. @throws usage_error */
export async function teamRecipes(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { environment, startFolder } = await import("../lib/config.ts");
  return await teamFiles(await readTeam(), startFolder(environment()));
}

async function teamFiles(team: Team | null, folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  if (team === null) return new Map();
  const { recipeFiles } = await import("../lib/team/recipe-files.ts");
  return await recipeFiles(team, folder);
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
