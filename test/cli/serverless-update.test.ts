import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { call, countingServer, errorOf, temporaryFolder } from "./_spawn.ts";

const UPDATE = ["serverless", "update"];

describe("serverless update on the command line", () => {
  const home = temporaryFolder();
  let sandbox: Sandbox;
  let served: ServedSandbox;
  let env: Record<string, string>;
  before(async () => {
    sandbox = createSandbox();
    served = await serve(sandbox);
    env = { ...served.env, HOME: home.path, READBACK_HISTORY_DIR: join(home.path, "runs") };
  });
  after(async () => {
    await served.close();
    home.remove();
  });

  async function read(id: string): Promise<Record<string, unknown>> {
    return JSON.parse((await call(["sls", "get", id, "--show-secrets"], { env })).stdout);
  }

  function patches(): readonly string[] {
    return sandbox.requests.filter(({ method }) => method === "PATCH").map(({ body }) => String(body));
  }

  test("--workers-max 3 sends exactly that, everything else stays, and undo restores field for field", async () => {
    const whole = await read("3p8n6v2d");
    const called = await call([...UPDATE, "transcriber", "--workers-max", "3", "--yes", "--json"], { env });
    assert.equal(called.status, 0, called.stderr);
    assert.deepEqual(patches(), ['{"workers":{"max":3}}']);
    const { runId, outcome, plan } = JSON.parse(called.stdout);
    assert.equal(outcome, "applied");
    assert.deepEqual([plan.recipe.name, plan.declares], ["update", ["patch:workers"]]);
    assert.deepEqual(plan.args, { endpoint: "3p8n6v2d", workersMax: 3 });
    assert.deepEqual(await read("3p8n6v2d"), { ...whole, workers: { min: 0, max: 3 } });

    const undone = await call(["undo", runId, "--yes"], { env });
    assert.equal(undone.status, 0, undone.stderr);
    assert.deepEqual(await read("3p8n6v2d"), whole);
  });

  test("a dry run ends with the command that applies it, and sls is the same group", async () => {
    const called = await call(["sls", "update", "transcriber", "--name", "my box", "--dry-run"], { env });
    assert.match(called.stdout, /update may change: name\n/);
    assert.match(called.stdout, /\nApply it: readback serverless update transcriber --name "my box"\n$/);
  });

  test("values of --env-file are in no output, no history and no argument", async () => {
    writeFileSync(join(home.path, ".env.prod"), "HF_TOKEN=hf_TOPSECRET\nNEW=1\n");
    const args = [...UPDATE, "image-generator", "--env-file", ".env.prod", "--show-requests"];
    const outputs = [
      await call([...args, "--dry-run"], { env, cwd: home.path }),
      await call([...args, "--dry-run", "--json"], { env, cwd: home.path }),
      await call([...args, "--yes", "--json"], { env, cwd: home.path }),
      await call(["history", "--json"], { env }),
    ];
    for (const { status, stdout, stderr } of outputs) {
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(stdout + stderr, /TOPSECRET/);
    }
    const sent = JSON.parse(patches().at(-1) ?? "");
    assert.deepEqual(sent.env, {
      MODEL_NAME: "sdxl",
      HF_TOKEN: "hf_TOPSECRET",
      S3_SECRET_ACCESS_KEY: "sandbox-not-a-real-secret-7f3a",
      NEW: "1",
    });
  });

  test("without a terminal and without --yes nothing is sent", async () => {
    const count = patches().length;
    const called = await call([...UPDATE, "transcriber", "--workers-max", "9"], { env });
    assert.equal(called.status, 3);
    assert.match(called.stderr, /workers\.max over all endpoints: 18 → 21/);
    assert.equal(patches().length, count);
  });

  test("a name that two endpoints bear is refused with both ids", async () => {
    const chat = sandbox.state.endpoints.get("9k2w5t1r");
    if (chat) chat.name = "transcriber";
    const called = await call([...UPDATE, "transcriber", "--workers-max", "1", "--yes"], { env });
    assert.equal(called.status, 2);
    assert.match(String(errorOf(called)["error"]), /3p8n6v2d/);
    assert.match(String(errorOf(called)["error"]), /9k2w5t1r/);
    if (chat) chat.name = "chat-lb";
  });
});

/** What no endpoint could be given: nothing may leave the machine. */
const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /Nothing to update: give at least one of --name, --workers-min/],
  [["--workers-max", "3", "--dryrun"], /did you mean --dry-run\?/],
  [["--workers-max", "--dry-run"], /--workers-max needs a value/],
  [["--workers-max"], /--workers-max needs a value/],
  ...["abc", "1e3", "0x10", "007", "3.5", " 3", "9007199254740993", "-1", "+3"].map(
    (value) => [["--workers-max", value], /^Cannot use --workers-max .*: expected a whole number/] as const,
  ),
  [["--workers-max=-1"], /^Cannot use --workers-max "-1": expected a whole number of at least 0$/],
  [["--workers-min", "3", "--workers-max", "2"], /--workers-min 3 is above --workers-max 2/],
  [["--idle-timeout", "0"], /from 1 s to 3600 s, in whole seconds/],
  [["--idle-timeout", "3601"], /from 1 s to 3600 s/],
  [["--idle-timeout", "1500ms"], /in whole seconds/],
  [["--execution-timeout", "600ms"], /of at least 5 s/],
  [["--execution-timeout", "4"], /of at least 5 s/],
  [["--scale-threshold", "0.4"], /a queue delay is at least 0\.5 seconds/],
  [["--scale-by", "requests", "--scale-threshold", "1.5"], /a request count is a whole number/],
  [["--scale-by", "workers"], /expected one of delay, requests/],
  [["--flashboot", "true"], /expected one of off, on, priority/],
  [["--pools", ""], /The value of --pools is empty/],
  [["--pools", ","], /Cannot use --pools ","/],
  [["--pools", "ADA_24,ADA_24"], /--pools names ADA_24 more than once/],
  [["--exclude-gpus", "L40", "--clear-exclusions"], /exclude each other/],
  [["--min-cuda", "12.4", "--cuda", "12.8"], /exclude each other/],
  [["--min-cuda", "12"], /expected major\.minor/],
  [["--gpu-count", "0"], /of at least 1/],
  [["--disk", "0"], /of at least 1/],
  [["--cpu", "cpu5c"], /expected a flavor and its vCPUs such as cpu5c:4/],
  [["--cpu", "cpu5c:3"], /expected a power of two/],
  [["--env", "A=1"], /Unknown flag --env, did you mean --env-file\?/],
  [["--env-replace"], /--env-replace goes with --env-file/],
  // Not a missing file: Node itself ends over an --env-file that is not there, also behind the script.
  [["--env-file", fileURLToPath(import.meta.url)], /Cannot use --env-file .*: line 1 is no NAME=value/],
  [["--template-id", "t1"], /Unknown flag --template-id/],
];

describe("an update that is wrong by itself", () => {
  let server: Awaited<ReturnType<typeof countingServer>>;
  before(async () => {
    server = await countingServer();
  });
  after(() => server.close());

  for (const [flags, message] of WRONG) {
    test(`(${flags.join(" ").replace(/\/.*\//, "") || "no flag"}) ends with 2 and no request`, async () => {
      const called = await call([...UPDATE, "ep_a", ...flags, "--yes"], { env: server.env });
      assert.equal(called.status, 2, called.stderr);
      assert.equal(errorOf(called)["code"], "usage_error");
      assert.match(String(errorOf(called)["error"]), message);
      assert.deepEqual(server.arrivals, []);
    });
  }
});
