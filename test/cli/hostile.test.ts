import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { recipeFolder } from "../load/_recipe-folder.ts";
import { type Called, call, ended, errorOf, sendSignal, start, temporaryFolder } from "./_spawn.ts";

// What a recipe, a service or a person in a hurry can do to a run, and what must not come of it.

function recipe(body: string, args = "", mutates = '["patch:env", "patch:workers"]'): string {
  return `import { arg, defineRecipe, patch, readEndpoint } from "readback";
export default defineRecipe({
  name: "hostile", summary: "Test", mutates: ${mutates},
  args: { endpoint: arg.endpoint()${args} },
  run: async (ops, { endpoint, ...given }) => {
    const before = await readEndpoint(ops, endpoint);
    ${body}
  },
});
`;
}

const RECIPES = {
  "set-env.ts": recipe(
    "await patch(ops, before, { env: { HF_TOKEN: given.value } });",
    ", value: arg.string(), hfToken: arg.optional(arg.string())",
  ),
  "exits.ts": recipe("await patch(ops, before, { workers: { max: 9 } }); process.exit(0);"),
  "bigint.ts": recipe("await patch(ops, before, { workers: { max: 9 } }); return 5n;"),
  "prints.ts": recipe('console.log("to stdout"); await patch(ops, before, { workers: { max: 9 } });'),
  "late.ts": recipe("setTimeout(() => readEndpoint(ops, endpoint).catch(() => {}), 20);"),
  "tells.ts": recipe("ops.note(JSON.stringify(before.env)); return Object.values(before.env);", "", "[]"),
};

describe("a run", () => {
  let folder: ReturnType<typeof recipeFolder>;
  let home: ReturnType<typeof temporaryFolder>;
  let box: Sandbox;
  let served: ServedSandbox;
  before(async () => {
    folder = recipeFolder(RECIPES);
    home = temporaryFolder();
    box = createSandbox({ speed: 1 });
    served = await serve(box);
  });
  after(async () => {
    await served.close();
    folder.remove();
    home.remove();
  });

  async function run(name: string, ...args: readonly string[]): Promise<Called> {
    return await call(["run", join(folder.path, name), "4m7x2k9q", ...args], options());
  }
  function options() {
    return { env: { ...served.env, HOME: home.path } };
  }
  function patches(): number {
    return box.requests.filter(({ method }) => method === "PATCH").length;
  }

  test("keeps what was typed for env out of plan, preview, follow-up and history", async () => {
    const secret = ["--value", "zzVALUE-SECRET", "--hf-token", "zzTOKEN-SECRET"];
    const texts = [
      await run("set-env.ts", ...secret, "--dry-run", "--json"),
      await run("set-env.ts", ...secret, "--dry-run"),
      await run("set-env.ts", ...secret),
      await run("set-env.ts", ...secret, "--yes", "--json"),
    ].map(({ stdout, stderr }) => stdout + stderr);
    const runs = join(home.path, ".local/state/readback/runs");
    const history = readdirSync(runs).map((name) => readFileSync(join(runs, name), "utf8"));
    for (const text of [...texts, ...history]) assert.doesNotMatch(text, /zz\w+-SECRET/);
    assert.match(texts[1] ?? "", /--value "?\*\*\*"? --hf-token "?\*\*\*/);
  });

  test("that a recipe ends by itself is no success, and sends nothing", async () => {
    const count = patches();
    for (const flags of [["--dry-run"], ["--yes"]])
      assert.notEqual((await run("exits.ts", ...flags)).status, 0);
    assert.equal(patches(), count);
  });

  test("whose recipe returns what is no JSON is refused before anything is sent", async () => {
    const count = patches();
    const called = await run("bigint.ts", "--yes", "--json");
    assert.equal(called.status, 1);
    assert.equal(errorOf(called)["code"], "recipe_error");
    assert.equal(patches(), count);
  });

  test("has stdout for itself while a recipe prints", async () => {
    const { stdout, stderr } = await run("prints.ts", "--dry-run", "--json");
    assert.equal(JSON.parse(stdout).schema, "readback/plan@1");
    assert.match(stderr, /to stdout/);
  });

  test("whose recipe goes on after it returned is no success", async () => {
    const called = await run("late.ts", "--yes");
    assert.equal(called.status, 1, called.stderr);
    assert.match(called.stderr, /was called after run\(\) had returned/);
  });

  test("keeps secret values of env out of what a recipe tells and returns", async () => {
    const endpoint = box.state.endpoints.get("3p8n6v2d");
    if (endpoint) endpoint.env = { HF_TOKEN: "hf_zzSECRET" };
    const { stdout, stderr } = await call(["run", join(folder.path, "tells.ts"), "3p8n6v2d"], options());
    assert.doesNotMatch(stdout + stderr, /SECRET/);
  });

  test("shows an endpoint's name on one line, and nothing of it steers the terminal", async () => {
    const endpoint = box.state.endpoints.get("9k2w5t1r");
    if (endpoint) endpoint.name = "\u001b[2J\nVERIFIED fake\u202e";
    for (const args of [
      ["run", "pin-gpu", "9k2w5t1r", "--gpu", "L40S", "--dry-run"],
      ["serverless", "list"],
    ]) {
      const { stdout } = await call(args, options());
      if (args[0] === "run") assert.match(stdout, /\\x1b\[2J\\nVERIFIED fake\\u202e/);
      assert.equal(stdout.includes("\u001b"), false); // JSON keeps what is no control character
    }
  });

  test("says at once that it waits for a change in flight, reads back, and ends with the signal's status", async () => {
    for (const [signal, status] of [
      ["SIGINT", 130],
      ["SIGHUP", 129],
    ] as const) {
      const fault = box.faults.add({ route: "patchEndpoint", kind: "latency", ms: 400, times: 1 });
      const max = signal === "SIGINT" ? "L40S" : "RTX 4090";
      const child = start(["run", "pin-gpu", "4m7x2k9q", "--gpu", max, "--yes", "--json"], options());
      const done = ended(child);
      while (fault.fired === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      sendSignal(child, signal as "SIGINT");
      const called = await done;
      assert.equal(called.status, status, called.stderr);
      assert.match(called.stderr, /waiting for what became of change 1; a second signal ends at once/);
      assert.equal(JSON.parse(called.stdout).applied[0].readBack.verdict, "verified");
    }
  });

  test("that is ended by a second signal names what was in flight and how to undo it", async () => {
    const fault = box.faults.add({ route: "patchEndpoint", kind: "hang", times: 1 });
    const child = start(["run", "pin-gpu", "4m7x2k9q", "--gpu", "L40S", "--yes"], options());
    const done = ended(child);
    while (fault.fired === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    sendSignal(child, "SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 50));
    sendSignal(child, "SIGINT");
    const called = await done;
    assert.equal(called.status, 130);
    assert.match(called.stderr, /change 1 was in flight.*readback undo \d{8}T\d{6}Z-[0-9a-f]{4} --dry-run/);
  });

  test("of a service that refuses what it did ends as verified, with a note", async () => {
    box.faults.clear();
    const called = await call(["run", "pin-gpu", "4m7x2k9q", "--gpu", "L4", "--yes"], options());
    assert.equal(called.status, 0, called.stderr);
  });

  test("names the file that Bun took the key from", async () => {
    const cwd = join(home.path, "with env");
    mkdirSync(cwd);
    const { RUNPOD_API_KEY, ...rest } = served.env;
    writeFileSync(join(cwd, ".env"), `RUNPOD_API_KEY=${RUNPOD_API_KEY}\n`);
    const called = await call(["doctor", "--json"], { cwd, env: { ...rest, HOME: home.path } });
    const { key, problem } = JSON.parse(called.stdout);
    if ("Bun" in globalThis) assert.match(key.source, /^\.env of the working folder/);
    else assert.equal(problem.code, "no_credentials");
  });
});
