import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ReadbackError } from "../errors.ts";
import { isRecipe } from "../recipe.ts";
import { registerLibrary } from "./_register-library.ts";
import { checkImports, type SourceFile } from "./check-imports.ts";
import { digestOf } from "./digest.ts";
import type { LoadedRecipe } from "./loaded-recipe.ts";

/**
 * Loads a recipe file: its imports are checked before a line of it runs.
 *
 * @throws usage_error - no such file, it cannot be parsed, imports what is not here, or is no recipe
 * @throws recipe_error - it throws while it is loaded
 */
export async function loadFile(given: string, folder: string): Promise<LoadedRecipe> {
  const path = resolve(folder, given);
  await assertFile(given, path);
  const bytes = await readFile(path);
  const files = await checkImports(path, { shown: given });
  registerLibrary();
  const recipe = defaultExport(given, await importFile(path, files));
  return { recipe, source: given, digest: digestOf(bytes) };
}

async function assertFile(given: string, path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new ReadbackError("usage_error", `Cannot read the recipe file ${given}: ${code}`);
  });
  if (found === null)
    throw new ReadbackError("usage_error", `There is no recipe file ${given} (looked for ${path})`);
  if (!found.isFile())
    throw new ReadbackError("usage_error", `${given} is a folder, and a recipe is one file`);
}

async function importFile(
  path: string,
  files: readonly SourceFile[],
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ReadbackError(
      "recipe_error",
      `${placeOf(error, files)}: the recipe file threw while it was loaded: ${message}`,
      { cause: error },
    );
  }
}

/** File and line of the innermost call in the person's files; the runtimes count the column of a `throw` differently. */
function placeOf(error: unknown, files: readonly SourceFile[]): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const frame of stack.split("\n")) {
    for (const { path, shown } of files) {
      const line = [path, pathToFileURL(path).href]
        .map((place) => frame.split(`${place}:`)[1])
        .map((rest) => /^\d+/.exec(rest ?? "")?.[0])
        .find((found) => found !== undefined);
      if (line !== undefined) return `${shown}:${line}`;
    }
  }
  return files[0]?.shown ?? "";
}

function defaultExport(given: string, module: Readonly<Record<string, unknown>>): LoadedRecipe["recipe"] {
  if (isRecipe(module["default"])) return module["default"];
  const found = "default" in module ? "its default export is no recipe" : "it has no default export";
  throw new ReadbackError(
    "usage_error",
    `${given} is no recipe: ${found}; a recipe file ends in export default defineRecipe({ … })`,
  );
}
