import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Recipe } from "../lib/recipe.ts";
import { planRecipe } from "../lib/run/plan-recipe.ts";
import { parseConfig } from "../lib/team/config.ts";
import { bench, loaded } from "./run/_sandbox.ts";

const root = new URL("../", import.meta.url);

async function read(path: string): Promise<string> {
  return await readFile(new URL(path, root), "utf8");
}

/** The recipe of a page, as a module that runs from anywhere. */
async function recipeOf(path: string): Promise<Recipe> {
  const [, code = ""] = /```ts\n(import[\s\S]*?export default[\s\S]*?)```/.exec(await read(path)) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "readback-docs-"));
  const file = join(folder, "recipe.ts");
  try {
    await writeFile(file, code.replace('"readback"', JSON.stringify(new URL("lib/mod.ts", root).href)));
    return ((await import(pathToFileURL(file).href)) as { default: Recipe }).default;
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const page of ["README.md", "docs/writing-recipes.md"])
  test(`the recipe in ${page} plans what it says`, async () => {
    const recipe = await recipeOf(page);
    const given = { endpoint: "image-generator", max: "3" };
    const { mutations } = await planRecipe(loaded(recipe), given, bench().context);
    assert.deepEqual(
      mutations.map(({ request }) => request.body),
      [{ workers: { max: 3 } }],
    );
  });

test("the README shows what it is, its commands, a recipe of twelve lines and its preview within one screen", async () => {
  const lines = (await read("README.md")).split("\n");
  const at = (text: string): number => lines.findIndex((line) => line.startsWith(text));
  const recipe = lines.slice(at("import { arg"), at("});") + 1);
  assert.equal(recipe.length, 12);
  assert.ok(at("npm ci && npm test") > 0 && at("PREVIEW, nothing sent") < 50);
  assert.ok(lines.length <= 250);
});

test("the preview in the README is the one that a test pins", async () => {
  const [, pinned = ""] = /const PIN = `([\s\S]*?)`/.exec(await read("test/plan/preview.test.ts")) ?? [];
  assert.ok((await read("README.md")).includes(pinned));
});

test("the config in docs/team.md is one", async () => {
  const [, text = ""] = /```json\n([\s\S]*?)```/.exec(await read("docs/team.md")) ?? [];
  assert.deepEqual(Object.keys(parseConfig(JSON.parse(text), "docs/team.md")), [
    ...["recipes", "allowHosts", "historyFolder", "defaults"],
  ]);
});

test("every page that a page links to exists", async () => {
  for (const page of ["README.md", "CONTRIBUTING.md"])
    for (const [, target = ""] of (await read(page)).matchAll(/\]\((?!https?:)([^)#]+)\)/g))
      await read(target);
});
