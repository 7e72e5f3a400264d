import { resolve } from "node:path";
import { ReadbackError } from "../errors.ts";
import { isRecipe } from "../recipe.ts";
import { digestOf } from "./digest.ts";
import { importFile } from "./import-file.ts";
import type { LoadedRecipe } from "./loaded-recipe.ts";

/**
 * Loads a recipe file.
 *
 * @param given its path as messages and the plan say it
 * @throws usage_error - no such file, it cannot be parsed, imports what is not here, or is no recipe
 * @throws recipe_error - it throws while it is loaded
 */
export async function loadFile(given: string, folder: string): Promise<LoadedRecipe> {
  const { module, bytes } = await importFile(resolve(folder, given), { shown: given, what: "recipe file" });
  return { recipe: defaultExport(given, module), source: given, digest: digestOf(bytes) };
}

function defaultExport(given: string, module: Readonly<Record<string, unknown>>): LoadedRecipe["recipe"] {
  if (isRecipe(module["default"])) return module["default"];
  const found = "default" in module ? "its default export is no recipe" : "it has no default export";
  throw new ReadbackError(
    "usage_error",
    `${given} is no recipe: ${found}; a recipe file ends in export default defineRecipe({ … })`,
  );
}
