import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ReadbackError } from "../errors.ts";
import { nearestAll } from "../near.ts";
import { isRecipe } from "../recipe.ts";
import { VERSION } from "../version.ts";
import { digestOf } from "./digest.ts";
import type { BuiltInRecipe, BuiltInRecipes, LoadedRecipe } from "./loaded-recipe.ts";

export interface LoadRecipeOptions {
  /** The recipes that come with Readback. */
  readonly builtIn: BuiltInRecipes;
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** Paths of the team's recipe files by name, relative to `folder`. @default none */
  readonly team?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Loads a recipe by its name, or by a path: a word with a slash, or one that ends in `.ts`, `.js` or `.mjs`.
 *
 * @throws usage_error - no recipe of that name (near names are listed), several of that name, no such file, or a file
 * that is no recipe
 * @throws recipe_error - the file throws while it is loaded
 */
export async function loadRecipe(word: string, options: LoadRecipeOptions): Promise<LoadedRecipe> {
  if (isRecipePath(word)) return await loadFile(word, options.folder);
  const known = Object.hasOwn(options.builtIn, word) ? options.builtIn[word] : undefined;
  const files = options.team?.get(word) ?? [];
  const [file] = files;
  if (files.length + (known === undefined ? 0 : 1) > 1) throw clash(word, files, known !== undefined);
  if (known !== undefined) return loadBuiltIn(word, known);
  if (file === undefined) throw unknownRecipe(word, options);
  return await loadTeamFile(word, file, options.folder);
}

/** True for a word that means a file and not a name. */
export function isRecipePath(word: string): boolean {
  return /[\\/]|\.(ts|mts|js|mjs)$|^\.+$/.test(word);
}

async function loadBuiltIn(name: string, known: BuiltInRecipe): Promise<LoadedRecipe> {
  const recipe = (await known.load()).default;
  if (!isRecipe(recipe)) throw new ReadbackError("recipe_error", `The built-in recipe ${name} is no recipe`);
  // In a standalone program there is no file of it: there, the version says which one it is.
  const content = await readFile(fileURLToPath(known.url.href)).catch(() => `readback ${VERSION} ${name}`);
  return { recipe, source: "built-in", digest: digestOf(content) };
}

/** What reads a file is loaded only for one: it has a parser. */
async function loadFile(path: string, folder: string): Promise<LoadedRecipe> {
  const file = await import("./_load-file.ts");
  return await file.loadFile(path, folder);
}

/** The name that people type is the file's, so it must be the one that plans and history show. */
async function loadTeamFile(name: string, file: string, folder: string): Promise<LoadedRecipe> {
  const loaded = await loadFile(file, folder);
  if (loaded.recipe.name === name) return loaded;
  throw new ReadbackError(
    "usage_error",
    `${file} defines the recipe "${loaded.recipe.name}": in a recipes folder a file is named like its recipe`,
  );
}

function clash(name: string, files: readonly string[], builtIn: boolean): ReadbackError {
  const places = [...(builtIn ? [`the built-in recipe ${name}`] : []), ...files];
  return new ReadbackError(
    "usage_error",
    `"${name}" is ${places.join(" and ")}: rename a file, or give the path of the one that is meant`,
    { followUp: `readback recipes ${files[0]}` },
  );
}

function unknownRecipe(word: string, { builtIn, team }: LoadRecipeOptions): ReadbackError {
  const names = [...Object.keys(builtIn), ...(team?.keys() ?? [])];
  const near = nearestAll(word, names);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `known are ${names.join(", ")}.`;
  return new ReadbackError(
    "usage_error",
    `There is no recipe "${word}": ${hint} A file is given by its path, such as ./${word}.ts`,
    { followUp: near[0] === undefined ? "readback recipes" : `readback recipes ${near[0]}` },
  );
}
