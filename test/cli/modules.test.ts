import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { countingServer, ended, programCommand, temporaryFolder } from "./_spawn.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PRELOAD = fileURLToPath(new URL("_list-modules.ts", import.meta.url));

describe("the modules that a command loads", () => {
  const folder = temporaryFolder();
  let server: Awaited<ReturnType<typeof countingServer>>;
  before(async () => {
    server = await countingServer('{"id":"ep1","name":"one"}');
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  /** Files from the repository's root on; a package by its folder. */
  async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
    const list = join(folder.path, "modules.txt");
    const { program, before: words, env } = programCommand([flagOfPreload(), PRELOAD]);
    const child = spawn(program, [...words, ...args], {
      cwd: folder.path,
      env: { ...env, ...server.env, READBACK_TEST_MODULES: list },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const called = await ended(child);
    assert.equal(called.status, 0, called.stderr);
    const paths = readFileSync(list, "utf8").trim().split("\n");
    rmSync(list);
    return [...new Set(paths.map((path) => relative(ROOT, path).replaceAll("\\", "/")))].sort();
  }

  test("are few for serverless get: its own two commands, no package, no recipe, no sandbox", async () => {
    const modules = await modulesOf(["serverless", "get", "ep1"]);
    const own = modules.filter((path) => path !== "test/cli/_list-modules.ts");
    assert.ok(own.includes("bin/readback.ts"), own.join("\n"));
    const commands = own.filter((path) => path.startsWith("bin/commands/"));
    assert.deepEqual(commands, ["bin/commands/serverless-get.ts", "bin/commands/serverless.ts"]);
    const others = own.filter((path) => !/^(bin|lib)\//.test(path));
    assert.deepEqual(others, []);
    const foreign = own.filter((path) =>
      /^lib\/(sandbox|run|plan|steps|load|team|testing|history|diagnose|wait)\/|^lib\/(mod|shell|arg|recipe)\.ts/.test(
        path,
      ),
    );
    assert.deepEqual(foreign, []);
    assert.ok(own.length <= 45, `${own.length} modules:\n${own.join("\n")}`);
  });

  test("are without zx, consola, the parser and the sandbox for a built-in recipe", async () => {
    const modules = await modulesOf(["recipes", "pin-gpu", "--json"]);
    assert.deepEqual(
      modules.filter((path) =>
        /node_modules\/(zx|consola|srvx|smol-toml|@bomb\.sh|@babel)\/|lib\/sandbox\//.test(path),
      ),
      [],
    );
    assert.ok(
      modules.some((path) => path.includes("node_modules/valibot/")),
      "packages are seen",
    );
  });
});

function flagOfPreload(): string {
  return "Bun" in globalThis || "Deno" in globalThis ? "--preload" : "--import";
}
