import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ReadbackError } from "../errors.ts";
import { CONFIG_NAMES } from "./find-config.ts";
import { initFiles } from "./init-files.ts";

/**
 * Makes a team folder, or adds what one needs to a folder that is there. Nothing is overwritten.
 *
 * @param folder its whole path
 * @param start where the person stands: the paths that come back are relative to it
 * @returns the files that were written
 * @throws usage_error - one of the files is there already (then none is written), or cannot be written
 */
export async function initFolder(folder: string, start: string): Promise<readonly string[]> {
  const files = await initFiles(folder);
  const shown = (path: string): string => relative(start, path);
  const configs = CONFIG_NAMES.map((name) => join(folder, name));
  const there = await existing([...new Set([...configs, ...files.keys()])]);
  if (there.length > 0)
    throw new ReadbackError(
      "usage_error",
      `${there.map(shown).join(", ")} is there already: nothing is written`,
    );
  for (const [path, text] of files) await write(path, text, shown(path));
  return [...files.keys()].map(shown);
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return paths.filter((_, i) => found[i] !== null);
}

async function write(path: string, text: string, shown: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ReadbackError("usage_error", `Cannot write ${shown}: ${code}`, { cause: error });
  }
}
