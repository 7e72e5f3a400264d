import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { initFolder } from "../../lib/team/init-folder.ts";
import { recipeFolder } from "../load/_recipe-folder.ts";

async function within(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = recipeFolder(files);
  try {
    await work(folder.path);
  } finally {
    folder.remove();
  }
}

const ALWAYS = [
  "readback.config.json",
  "recipes/set-max.ts",
  "recipes/set-max.test.ts",
  "recipes/README.md",
  ".github/workflows/readback.yml",
];

describe("initFolder()", () => {
  test("makes a folder that is not there, with a package.json for its recipes", async () => {
    await within({}, async (folder) => {
      const written = await initFolder(join(folder, "ops"), folder);
      assert.deepEqual(
        written,
        [...ALWAYS, "package.json"].map((path) => join("ops", path)),
      );
      const manifest = JSON.parse(readFileSync(join(folder, "ops/package.json"), "utf8"));
      assert.deepEqual([manifest.type, Object.keys(manifest.devDependencies)], ["module", ["readback"]]);
    });
  });

  test("adds to a folder that is there, and keeps its package.json; recipes are modules all the same", async () => {
    for (const [manifest, more] of [
      ['{"type":"module"}', []],
      ['{"type":"commonjs"}', ["recipes/package.json"]],
      ["{}", ["recipes/package.json"]],
    ] as const)
      await within({ "package.json": manifest, "recipes/other.ts": "" }, async (folder) => {
        assert.deepEqual(
          await initFolder(folder, folder),
          [...ALWAYS, ...more].map((path) => join(path)),
        );
        assert.equal(readFileSync(join(folder, "package.json"), "utf8"), manifest);
      });
  });

  test("overwrites nothing: where one file is there, none is written", async () => {
    for (const there of ["recipes/set-max.ts", "readback.config.ts"])
      await within({ [there]: "mine" }, async (folder) => {
        await assert.rejects(initFolder(folder, folder), {
          code: "usage_error",
          message: `${join(there)} is there already: nothing is written`,
        });
        assert.equal(readFileSync(join(folder, there), "utf8"), "mine");
        assert.equal(readdirSync(folder).length, 1);
      });
  });

  test("puts the workflow where the repository has its own, working in the folder", async () => {
    await within({ ".git/HEAD": "" }, async (folder) => {
      mkdirSync(join(folder, "infra"));
      writeFileSync(join(folder, "infra/package.json"), '{"type":"module"}');
      const written = await initFolder(join(folder, "infra/ops"), folder);
      assert.ok(written.includes(join(".github/workflows/readback.yml")), written.join());
      const workflow = readFileSync(join(folder, ".github/workflows/readback.yml"), "utf8");
      assert.match(workflow, /\n {4}defaults:\n {6}run:\n {8}working-directory: "infra\/ops"\n {4}steps:\n/);
    });
  });

  test("writes a workflow that asks for nothing: pull_request, contents read, a read-only key for one step", async () => {
    await within({}, async (folder) => {
      await initFolder(folder, folder);
      const workflow = readFileSync(join(folder, ".github/workflows/readback.yml"), "utf8");
      assert.match(workflow, /^on: pull_request$/m);
      assert.match(workflow, /^permissions:\n {2}contents: read\n/m);
      assert.deepEqual(workflow.match(/secrets\.\w+/g), ["secrets.RUNPOD_READ_ONLY_API_KEY"]);
      assert.match(workflow, /--dry-run/);
    });
  });
});
