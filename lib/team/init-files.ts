import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { VERSION } from "../version.ts";
import { README, RECIPE, RECIPE_TEST, workflow } from "./_init-texts.ts";

/** The files of a new team folder: whole path → text. */
export type InitFiles = ReadonlyMap<string, string>;

/**
 * Gives what a team folder starts with: a config, a recipe, its test, a README, a workflow in the repository that the
 * folder is in, and a `package.json` where there is none. Nothing is written.
 */
export async function initFiles(folder: string): Promise<InitFiles> {
  const repository = await nearest(folder, ".git");
  const root = repository ?? folder;
  const place = relative(root, folder).replaceAll("\\", "/");
  return new Map([
    [join(folder, "readback.config.json"), json({ recipes: ["recipes"] })],
    [join(folder, "recipes/set-max.ts"), RECIPE],
    [join(folder, "recipes/set-max.test.ts"), RECIPE_TEST],
    [join(folder, "recipes/README.md"), README],
    [join(root, ".github/workflows/readback.yml"), workflow(place === "" ? null : place)],
    ...(await manifests(folder)),
  ]);
}

/** Recipes are modules: Node and Deno take a file's kind from the package.json that is nearest. */
async function manifests(folder: string): Promise<readonly (readonly [string, string])[]> {
  const found = await nearest(folder, "package.json");
  if (found === null) {
    const manifest = { private: true, type: "module", devDependencies: { readback: VERSION } };
    return [[join(folder, "package.json"), json(manifest)]];
  }
  const text = await readFile(join(found, "package.json"), "utf8");
  if (typeOf(text) === "module") return [];
  return [[join(folder, "recipes/package.json"), json({ private: true, type: "module" })]];
}

function typeOf(manifest: string): unknown {
  try {
    return JSON.parse(manifest).type;
  } catch {
    return undefined; // npm will say what is wrong with it
  }
}

/** The folder, this one or one above, that has an entry of a name. */
async function nearest(folder: string, name: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await stat(join(at, name)).catch(() => null)) return at;
    if (dirname(at) === at) return null;
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
