import { readFile } from "node:fs/promises";
import { ReadbackError } from "../errors.ts";
import { nearestAll } from "../near.ts";
import { isRecipe } from "../recipe.ts";
import { loadFile } from "./_load-file.ts";
import { digestOf } from "./digest.ts";
import type { BuiltInRecipe, BuiltInRecipes, LoadedRecipe } from "./loaded-recipe.ts";

export interface LoadRecipeOptions {
  /** The recipes that are known by name. */
  readonly builtIn: BuiltInRecipes;
  /** The folder that relative paths start from. */
  readonly folder: string;
}

/**
 * Loads a recipe by its name, or by a path: a word with a slash, or one that ends in `.ts`, `.js` or `.mjs`.
 *
 * @throws usage_error - no recipe of that name (near names are listed), no such file, or a file that is no recipe
 * @throws recipe_error - the file throws while it is loaded
 */
export async function loadRecipe(word: string, options: LoadRecipeOptions): Promise<LoadedRecipe> {
  if (isRecipePath(word)) return loadFile(word, options.folder);
  const known = Object.hasOwn(options.builtIn, word) ? options.builtIn[word] : undefined;
  if (known === undefined) throw unknownRecipe(word, Object.keys(options.builtIn));
  return loadBuiltIn(word, known);
}

/** True for a word that means a file and not a name. */
export function isRecipePath(word: string): boolean {
  return /[\\/]|\.(ts|mts|js|mjs)$|^\.+$/.test(word);
}

async function loadBuiltIn(name: string, known: BuiltInRecipe): Promise<LoadedRecipe> {
  const recipe = (await known.load()).default;
  if (!isRecipe(recipe)) throw new ReadbackError("recipe_error", `The built-in recipe ${name} is no recipe`);
  return { recipe, source: "built-in", digest: digestOf(await readFile(known.url)) };
}

function unknownRecipe(word: string, names: readonly string[]): ReadbackError {
  const near = nearestAll(word, names);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `known are ${names.join(", ")}.`;
  return new ReadbackError(
    "usage_error",
    `There is no recipe "${word}": ${hint} A file is given by its path, such as ./${word}.ts`,
    { followUp: near[0] === undefined ? "readback recipes" : `readback recipes ${near[0]}` },
  );
}
