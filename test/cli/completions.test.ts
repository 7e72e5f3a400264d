import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { recipeFolder } from "../load/_recipe-folder.ts";
import { call, programCommand } from "./_spawn.ts";

const SET_MAX = `import { arg, defineRecipe } from "readback";
export default defineRecipe({
  name: "set-max", summary: "x", mutates: [],
  args: { endpoint: arg.endpoint(), size: arg.choice(["small", "large"]) },
  run: async () => {},
});
`;

describe("completions", () => {
  let folder: ReturnType<typeof recipeFolder>;
  before(() => {
    folder = recipeFolder({
      "readback.config.json": '{"recipes":["recipes"]}',
      "recipes/set-max.ts": SET_MAX,
      "recipes/throws.ts": "throw new Error('loaded');",
    });
    const { program, before: words } = programCommand([]);
    const quoted = [program, ...words].map((word) => `"${word}"`).join(" ");
    writeFileSync(join(folder.path, "readback"), `#!/bin/sh\nexec ${quoted} "$@"\n`);
    chmodSync(join(folder.path, "readback"), 0o755);
  });
  after(() => folder.remove());

  /** What may follow on a line whose last word is being typed. */
  async function following(...words: readonly string[]): Promise<readonly string[]> {
    const called = await call(["completions", "complete", "--", ...words], { cwd: folder.path });
    assert.deepEqual([called.status, called.stderr], [0, ""]);
    return called.stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0] ?? "");
  }

  test("give commands, recipes of the team and built-in ones, and their flags", async () => {
    assert.deepEqual(await following("serv"), ["serverless", ":4"]);
    assert.deepEqual(await following("serverless", "ge"), ["get", ":4"]);
    assert.deepEqual(await following("run", "pin-g"), ["pin-gpu", ":4"]);
    assert.deepEqual(await following("run", "se"), ["set-max", ":4"]);
    assert.deepEqual(await following("recipes", "se"), ["set-max", ":4"]);
    assert.deepEqual(await following("run", "pin-gpu", "image-generator", "--gp"), ["--gpu", ":4"]);
    assert.deepEqual(await following("run", "set-max", "--si"), ["--size", ":4"]);
    assert.deepEqual(await following("run", "set-max", "--size", ""), ["small", "large", ":4"]);
    assert.deepEqual(await following("run", "set-max", "--yes", "--si"), ["--size", ":4"]);
    assert.ok((await following("")).includes("run"));
  });

  test("leave files to the shell, and know the flags of a recipe by path", async () => {
    assert.deepEqual(await following("run", "./rec"), [":0"]);
    assert.deepEqual(await following("undo", "res"), [":0"]);
    assert.deepEqual(await following("run", "./recipes/set-max.ts", "--si"), ["--size", ":4"]);
  });

  test("load no recipe but the one that is named, and survive a broken one", async () => {
    assert.ok((await following("run", "")).includes("throws"));
    assert.deepEqual(await following("run", "throws", "--x"), [":4"]);
  });

  test("come as a script for bash, zsh and fish, and for nothing else", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const called = await call(["completions", shell]);
      assert.equal(called.status, 0);
      assert.match(called.stdout, /readback completions complete -- /);
    }
    assert.equal((await call(["completions", "csh"])).status, 2);
  });

  /** Asks the function that the script defines, as bash does on Tab. */
  function pressTab(...words: readonly string[]): readonly string[] {
    const script = `eval "$(readback completions bash)"; eval "$(readback completions bash)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_readback_completions 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...programCommand([]).env };
    const done = spawnSync("bash", ["--norc", "--noprofile", "-c", script, "bash", ...words], {
      cwd: folder.path,
      env: { ...env, PATH: `${folder.path}:${env["PATH"]}` },
      encoding: "utf8",
    });
    return done.stdout.trim().split("\n");
  }

  test("work in bash without any other package, put words together that bash splits, and run nothing of the line", () => {
    assert.deepEqual(pressTab("readback", "run", "pin-g"), ["pin-gpu"]);
    assert.deepEqual(pressTab("readback", "run", "pin-gpu", "x", "--gp"), ["--gpu"]);
    assert.deepEqual(pressTab("readback", "run", "set-max", "--size", "=", "sm"), ["small"]);
    const evil = pressTab("readback", "run", "$(touch ran)", ">", "file", "--dry-r");
    assert.deepEqual(evil, ["--dry-run"]);
    const left = spawnSync("ls", [folder.path], { encoding: "utf8" }).stdout.trim().split("\n").sort();
    assert.deepEqual(left, ["readback", "readback.config.json", "recipes"]);
  });
});
