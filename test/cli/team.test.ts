import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSandbox, serve } from "../../lib/sandbox/mod.ts";
import { recipeFolder } from "../load/_recipe-folder.ts";
import { call, countingServer, errorOf, KEY } from "./_spawn.ts";

function recipe(name: string): string {
  return `import { arg, defineRecipe, readEndpoint } from "readback";
console.log("a line of its own");
export default defineRecipe({
  name: "${name}", summary: "Show the maximum", mutates: [],
  args: { endpoint: arg.endpoint(), label: arg.string() },
  run: async (ops, { endpoint, label }) => [label, (await readEndpoint(ops, endpoint)).workers.max],
});
`;
}

const SET_MAX = `import { arg, defineRecipe, patch, readEndpoint } from "readback";
export default defineRecipe({
  name: "set-max", summary: "Set the maximum", mutates: ["patch:workers"],
  args: { endpoint: arg.endpoint(), max: arg.integer() },
  run: async (ops, { endpoint, max }) => void (await patch(ops, await readEndpoint(ops, endpoint), { workers: { max } })),
});
`;

const CONFIG = {
  recipes: ["ops", "more"],
  historyFolder: "runs",
  defaults: { "show-max": { label: "team" } },
};

describe("a team folder", () => {
  let folder: ReturnType<typeof recipeFolder>;
  let deep: string;
  before(() => {
    folder = recipeFolder({
      "readback.config.json": JSON.stringify(CONFIG),
      "ops/show-max.ts": recipe("show-max"),
      "ops/pin-gpu.ts": recipe("pin-gpu"),
      "ops/twice.ts": recipe("twice"),
      "more/twice.ts": recipe("twice"),
      "more/misnamed.ts": recipe("other"),
      "deep/er/x": "",
    });
    deep = join(folder.path, "deep/er");
  });
  after(() => folder.remove());

  test("gives its recipes names, from below too, with the team's values for flags", async () => {
    const called = await call(["run", "show-max", "transcriber", "--sandbox"], { cwd: deep });
    assert.equal(called.status, 0, called.stderr);
    assert.deepEqual(JSON.parse(called.stdout), ["team", 6]);
    const help = await call(["run", "show-max", "--help"], { cwd: deep });
    assert.match(help.stdout, /--label TEXT +text \(default team\)/);
  });

  test("never puts a file in the place of a built-in recipe: both places are named, and a path still works", async () => {
    const clash = await call(["run", "pin-gpu", "transcriber", "--gpu", "L40S", "--sandbox", "--dry-run"], {
      cwd: folder.path,
    });
    assert.equal(clash.status, 2);
    assert.equal(
      errorOf(clash)["error"],
      `"pin-gpu" is the built-in recipe pin-gpu and ${join("ops", "pin-gpu.ts")}: rename a file, or give the path of the one that is meant`,
    );
    const path = await call(["run", "ops/pin-gpu.ts", "transcriber", "--label", "x", "--sandbox"], {
      cwd: folder.path,
    });
    assert.deepEqual(JSON.parse(path.stdout), ["x", 6]);
  });

  test("refuses a name that two folders have, and a file that is not named like its recipe", async () => {
    const twice = await call(["recipes", "twice"], { cwd: folder.path });
    assert.match(String(errorOf(twice)["error"]), /"twice" is ops.twice\.ts and more.twice\.ts/);
    const misnamed = await call(["recipes", "misnamed"], { cwd: folder.path });
    assert.match(String(errorOf(misnamed)["error"]), /more.misnamed\.ts defines the recipe "other"/);
    const near = await call(["run", "show-mx"], { cwd: folder.path });
    assert.match(String(errorOf(near)["error"]), /did you mean show-max\?/);
  });

  test("is in readback recipes with the place of each; what cannot be loaded hides no other", async () => {
    const called = await call(["recipes", "--json"], { cwd: deep });
    assert.equal(called.status, 2);
    const up = join("..", "..");
    const { recipes } = JSON.parse(called.stdout) as { recipes: { name: string; source: string }[] };
    const places = recipes
      .filter(({ source }) => source !== "built-in")
      .map(({ name, source }) => [name, source]);
    assert.deepEqual(places, [
      ["pin-gpu", join(up, "ops/pin-gpu.ts")],
      ["show-max", join(up, "ops/show-max.ts")],
      ["twice", join(up, "ops/twice.ts")],
      ["twice", join(up, "more/twice.ts")],
    ]);
    assert.match(called.stderr, /misnamed\.ts defines the recipe/);
    const table = await call(["recipes"], { cwd: deep });
    assert.match(table.stdout, /^RECIPE +FROM +MAY CHANGE +WHAT IT DOES$/m);
    assert.match(table.stdout, /^show-max +\S+show-max\.ts +nothing +Show the maximum$/m);
  });

  test("keeps the history where it says, and the environment goes before it", async () => {
    const served = await serve(createSandbox());
    const other = join(folder.path, "other-runs");
    const file = join(folder.path, "set-max.ts");
    writeFileSync(file, SET_MAX);
    try {
      for (const [max, env] of [
        ["4", {}],
        ["5", { READBACK_HISTORY_DIR: other }],
      ] as const) {
        const args = ["run", file, "transcriber", "--max", max, "--yes"];
        const called = await call(args, { cwd: deep, env: { ...served.env, ...env } });
        assert.equal(called.status, 0, called.stderr);
      }
    } finally {
      await served.close();
    }
    assert.equal(readdirSync(join(folder.path, "runs")).length, 1);
    assert.equal(readdirSync(other).length, 1);
    const listed = await call(["history", "--json"], { cwd: deep });
    assert.equal(JSON.parse(listed.stdout).runs.length, 1);
  });
});

describe("a config file", () => {
  test("that is broken stops a run before anything is asked, with file and field", async () => {
    const folder = recipeFolder({ "readback.config.json": '{"recipes":["gone"],"allowHosts":"x"}' });
    const server = await countingServer();
    try {
      const called = await call(["run", "pin-gpu", "ep", "--gpu", "X", "--dry-run"], {
        cwd: folder.path,
        env: server.env,
      });
      assert.equal(called.status, 2);
      assert.match(String(errorOf(called)["error"]), /^readback\.config\.json: allowHosts is "x"/);
      assert.deepEqual(server.arrivals, []);
    } finally {
      await server.close();
      folder.remove();
    }
  });

  test("may allow a host, and is not even opened where the hosts are known", async () => {
    const env = {
      RUNPOD_API_KEY: KEY,
      RUNPOD_API_BASE_URL: "https://runpod.invalid",
      RUNPOD_INVOKE_URL: "https://runpod.invalid",
    };
    const files = { "readback.config.json": '{"allowHosts":["runpod.invalid"]}' };
    const allowed = recipeFolder(files);
    const broken = recipeFolder({ "readback.config.ts": "throw new Error('opened');" });
    const server = await countingServer('{"id":"ep"}');
    try {
      const refused = await call(["serverless", "get", "ep"], { env });
      assert.match(String(errorOf(refused)["error"]), /--allow-host runpod\.invalid/);
      const asked = await call(["serverless", "get", "ep", "--timeout", "2s"], { env, cwd: allowed.path });
      assert.equal(errorOf(asked)["code"], "network_error", asked.stderr);
      const known = await call(["serverless", "get", "ep"], { env: server.env, cwd: broken.path });
      assert.equal(known.status, 0, known.stderr);
    } finally {
      await server.close();
      allowed.remove();
      broken.remove();
    }
  });
});
