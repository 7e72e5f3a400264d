import { readFile, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { ReadbackError } from "../errors.ts";
import { registerLibrary } from "./_register-library.ts";
import { checkImports, type SourceFile } from "./check-imports.ts";

export interface ImportFileOptions {
  /** The file's path as the person gave it: what messages say. */
  readonly shown: string;
  /** What it is, in messages: `recipe file`. */
  readonly what: string;
}

/** A module of the person's, and the bytes of its file. */
export interface ImportedFile {
  readonly module: Readonly<Record<string, unknown>>;
  readonly bytes: Uint8Array;
}

/**
 * Imports a file of the person's: its imports are checked before a line of it runs.
 *
 * @throws usage_error - no such file, it cannot be parsed, or it imports what is not here
 * @throws recipe_error - it throws while it is loaded
 */
export async function importFile(path: string, options: ImportFileOptions): Promise<ImportedFile> {
  await assertFile(path, options);
  const bytes = await readFile(path);
  const files = await checkImports(path, options);
  registerLibrary();
  try {
    return { module: await import(pathToFileURL(path).href), bytes };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ReadbackError(
      "recipe_error",
      `${placeOf(error, files)}: the ${options.what} threw while it was loaded: ${message}`,
      { cause: error },
    );
  }
}

async function assertFile(path: string, { shown, what }: ImportFileOptions): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new ReadbackError("usage_error", `Cannot read the ${what} ${shown}: ${code}`);
  });
  if (found === null)
    throw new ReadbackError("usage_error", `There is no ${what} ${shown} (looked for ${path})`);
  if (!found.isFile())
    throw new ReadbackError("usage_error", `${shown} is a folder, and a ${what} is one file`);
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
