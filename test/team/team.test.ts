import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { recipeFiles } from "../../lib/team/recipe-files.ts";
import { loadTeam, type Team } from "../../lib/team/team.ts";
import { recipeFolder } from "../load/_recipe-folder.ts";

/** Works in a folder with these files. */
async function within<T>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = recipeFolder(files);
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}

const JSON_FILE = {
  "readback.config.json": '{ "recipes": ["ops"], "historyFolder": "../runs" }',
  "sub/deep/x": "",
};

describe("loadTeam()", () => {
  test("finds the nearest config upwards; its folders are relative to it", async () => {
    await within(JSON_FILE, async (folder) => {
      const team = await loadTeam(join(folder, "sub/deep"));
      assert.equal(team?.shown, join("..", "..", "readback.config.json"));
      assert.deepEqual(team?.recipes, [join(folder, "ops")]);
      assert.equal(team?.historyFolder, join(folder, "..", "runs"));
      assert.deepEqual([team?.allowHosts, team?.defaults], [[], {}]);
    });
    const nearer = { ...JSON_FILE, "sub/readback.config.json": "{}" };
    await within(nearer, async (folder) => {
      assert.deepEqual((await loadTeam(join(folder, "sub/deep")))?.recipes, []);
    });
  });

  test("reads a config that is code, which may name the type of the library", async () => {
    const text = `import type { Config } from "readback";\nexport default { recipes: ["a"] } satisfies Config;\n`;
    for (const name of ["readback.config.ts", "readback.config.js"]) {
      const code = name.endsWith(".ts") ? text : 'export default { recipes: ["a"] };';
      await within({ [name]: code, "package.json": '{"type":"module"}' }, async (folder) => {
        assert.deepEqual((await loadTeam(folder))?.recipes, [join(folder, "a")]);
      });
    }
  });

  test("checks the imports of a config before it runs", async () => {
    const files = { "readback.config.ts": 'import "left-pad";\nexport default {};' };
    await within(files, async (folder) => {
      await assert.rejects(loadTeam(folder), /readback\.config\.ts:1:1: cannot import "left-pad"/);
    });
  });

  test("names the file where it is broken, has no default export, or has a brother", async () => {
    const broken: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ "readback.config.json": "{" }, /^ReadbackError: readback\.config\.json is no JSON: /],
      [{ "readback.config.json": '{"recipes":1}' }, /^ReadbackError: readback\.config\.json: recipes is 1/],
      [{ "readback.config.ts": "export const a = 1;" }, /readback\.config\.ts has no default export/],
      [{ "readback.config.ts": "\nthrow new Error('no');" }, /readback\.config\.ts:2: the config file threw/],
      [
        { "readback.config.ts": "", "readback.config.json": "{}" },
        /has both readback\.config\.ts and readback\.config\.json/,
      ],
    ];
    for (const [files, message] of broken)
      await within(files, async (folder) => await assert.rejects(loadTeam(folder), message));
  });
});

describe("recipeFiles()", () => {
  const team = (folder: string, recipes: readonly string[]): Team => ({
    ...{ shown: "readback.config.json", allowHosts: [], historyFolder: null, defaults: {} },
    recipes: recipes.map((name) => join(folder, name)),
  });

  test("lists the files directly in the folders by name, and loads none", async () => {
    const files = {
      "a/set-max.ts": "throw 1",
      "a/set-max.test.ts": "",
      "a/_steps.ts": "",
      "a/types.d.ts": "",
      "a/README.md": "",
      "a/deep/other.ts": "",
      "b/set-max.mjs": "",
      "b/bounce.js": "",
    };
    await within(files, async (folder) => {
      const found = await recipeFiles(team(folder, ["a", "b"]), join(folder, "a"));
      assert.deepEqual(Object.fromEntries(found), {
        "set-max": ["./set-max.ts", join("..", "b", "set-max.mjs")],
        bounce: [join("..", "b", "bounce.js")],
      });
    });
  });

  test("names file and field where a folder is not there", async () => {
    await within({ x: "" }, async (folder) => {
      const missing = recipeFiles(team(folder, ["gone"]), folder);
      await assert.rejects(
        missing,
        /^ReadbackError: readback\.config\.json: recipes\.0: .*there is no such folder/,
      );
    });
  });
});
