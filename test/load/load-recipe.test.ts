import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type ErrorCode, isReadbackError } from "../../lib/errors.ts";
import { isRecipePath, loadRecipe } from "../../lib/load/load-recipe.ts";
import type { LoadedRecipe } from "../../lib/load/loaded-recipe.ts";
import { recipeFolder, recipeText } from "./_recipe-folder.ts";

const PIN_GPU = new URL("../../recipes/pin-gpu.ts", import.meta.url);
const builtIn = { "pin-gpu": { load: () => import("../../recipes/pin-gpu.ts"), url: PIN_GPU } };

/** Loads a word with these files in the folder where the person stands. */
async function load(word: string, files: Readonly<Record<string, string>> = {}): Promise<LoadedRecipe> {
  const folder = recipeFolder(files);
  try {
    return await loadRecipe(word, { builtIn, folder: folder.path });
  } finally {
    folder.remove();
  }
}

const BROKEN: readonly (readonly [string, ErrorCode, string, string])[] = [
  ["a syntax error", "usage_error", "export default {\n  a: = 3\n};", "./main.ts:2:6: Unexpected token"],
  [
    "no default export",
    "usage_error",
    "export const a = 1;",
    "./main.ts is no recipe: it has no default export",
  ],
  [
    "a default export that is none",
    "usage_error",
    'export default { name: "x" };',
    "./main.ts is no recipe: its default export",
  ],
  [
    "a throw",
    "recipe_error",
    "\n\nthrow new Error('on purpose');",
    "./main.ts:3: the recipe file threw while it was loaded: on purpose",
  ],
  [
    "a throw of no error",
    "recipe_error",
    "throw 'a text';",
    "./main.ts: the recipe file threw while it was loaded: a text",
  ],
  [
    "a name that is none",
    "recipe_error",
    recipeText().replace('"some"', '"Some Name"'),
    "./main.ts:3: the recipe file threw",
  ],
];

describe("loadRecipe()", () => {
  test("gives a built-in recipe with the digest of its file", async () => {
    const { recipe, source, digest } = await load("pin-gpu");
    assert.deepEqual([recipe.name, source], ["pin-gpu", "built-in"]);
    assert.equal(digest, `sha256:${createHash("sha256").update(readFileSync(PIN_GPU)).digest("hex")}`);
  });

  test("gives a recipe of a file in any folder, which imports the library by name", async () => {
    const text = recipeText('import { label } from "./lib/label.ts";', "return label;");
    const files = { "ops/bounce.ts": text, "ops/lib/label.ts": 'export const label: string = "x";' };
    for (const word of ["./ops/bounce.ts", "ops/bounce.ts"]) {
      const { recipe, source, digest } = await load(word, files);
      assert.deepEqual([recipe.name, source], ["some", word]);
      assert.equal(digest, `sha256:${createHash("sha256").update(text).digest("hex")}`);
    }
  });

  test("gives a recipe the very modules of the program, and the sandbox by name", async () => {
    const head =
      'import { ReadbackError } from "readback";\nimport { createSandbox } from "readback/sandbox";\nexport { ReadbackError, createSandbox };';
    const folder = recipeFolder({ "main.ts": recipeText(head) });
    try {
      await loadRecipe("./main.ts", { builtIn, folder: folder.path });
      const module = await import(join(folder.path, "main.ts"));
      assert.equal(module.ReadbackError, (await import("../../lib/errors.ts")).ReadbackError);
      assert.equal(module.createSandbox, (await import("../../lib/sandbox/mod.ts")).createSandbox);
    } finally {
      folder.remove();
    }
  });

  for (const [what, code, text, message] of BROKEN) {
    test(`tells ${what} as ${code}, with its place`, async () => {
      await assert.rejects(load("./main.ts", { "main.ts": text }), (error) => {
        assert.ok(isReadbackError(error, code), String(error));
        assert.ok(error.message.startsWith(message), error.message);
        return true;
      });
    });
  }

  test("names the file that threw, also where it is an imported one", async () => {
    const files = { "main.ts": 'import "./lib/deep.ts";', "lib/deep.ts": "\nthrow new Error('deep');" };
    await assert.rejects(load("./main.ts", files), /\.\/lib\/deep\.ts:2: .*deep/);
  });

  test("tells a missing file, a folder and an unknown name apart", async () => {
    await assert.rejects(load("./gone.ts"), /There is no recipe file \.\/gone\.ts \(looked for /);
    await assert.rejects(load("./ops", { "ops/x.ts": "" }), /\.\/ops is a folder/);
    await assert.rejects(load("pin-gup"), /no recipe "pin-gup": did you mean pin-gpu\?/);
    await assert.rejects(load("toString"), /no recipe "toString": known are pin-gpu/);
  });

  test("takes words with a slash or a file's ending for paths", () => {
    assert.deepEqual(["./x", "a/b", "x.ts", "x.mjs", ".", "C:\\x"].map(isRecipePath), Array(6).fill(true));
    assert.deepEqual(["pin-gpu", "x.json", "ts"].map(isRecipePath), [false, false, false]);
  });
});
