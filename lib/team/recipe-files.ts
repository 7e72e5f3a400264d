import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { ReadbackError } from "../errors.ts";
import type { Team } from "./team.ts";

/**
 * Lists a team's recipe files by name: the `.ts`, `.mts`, `.js` and `.mjs` files that stand directly in its recipes
 * folders, named in kebab-case. Tests, declarations and names with a `_` in front are left out. None is loaded.
 *
 * @param folder where the person stands: the paths are relative to it
 * @returns name → its files; more than one where names clash
 * @throws usage_error - a folder is not there
 */
export async function recipeFiles(
  team: Team,
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [i, recipes] of team.recipes.entries()) {
    for (const file of await filesIn(recipes, `${team.shown}: recipes.${i}`)) {
      const [, name] = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\.(?:ts|mts|js|mjs)$/.exec(file) ?? [];
      if (name !== undefined)
        found.set(name, [...(found.get(name) ?? []), pathFrom(folder, join(recipes, file))]);
    }
  }
  return found;
}

async function filesIn(folder: string, field: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const why = code === "ENOENT" ? "there is no such folder" : code;
    throw new ReadbackError("usage_error", `${field}: cannot read ${folder}: ${why}`);
  }
}

/** Always with a slash, so that it reads as a path and not as a name. */
function pathFrom(folder: string, path: string): string {
  const shown = relative(folder, path);
  return /[\\/]/.test(shown) ? shown : `./${shown}`;
}
