import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { call, errorOf, temporaryFolder } from "./_spawn.ts";

const PIN = ["run", "pin-gpu", "image-generator", "--gpu", "NVIDIA L40S"];
const BODY = {
  gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40", "NVIDIA RTX 6000 Ada Generation"] },
};

/** One world that the tests below change in turn, as a person would. */
describe("pin-gpu on the command line", () => {
  const home = temporaryFolder();
  const history = join(home.path, "runs");
  let sandbox: Sandbox;
  let served: ServedSandbox;
  let env: Record<string, string>;
  before(async () => {
    sandbox = createSandbox();
    served = await serve(sandbox);
    env = { ...served.env, HOME: home.path, READBACK_HISTORY_DIR: history };
  });
  after(async () => {
    await served.close();
    home.remove();
  });

  /** Method by method, what the last call sent. */
  async function sent(
    args: readonly string[],
  ): Promise<{ called: Awaited<ReturnType<typeof call>>; methods: string[] }> {
    const from = sandbox.requests.length;
    const called = await call(args, { env });
    return { called, methods: sandbox.requests.slice(from).map(({ method }) => method) };
  }

  test("a dry run shows the plan, sends at most 4 GETs, and ends with 0, or 10 when asked", async () => {
    const json = await sent([...PIN, "--dry-run", "--json"]);
    assert.equal(json.called.status, 0);
    const plan = JSON.parse(json.called.stdout);
    assert.equal(plan.schema, "readback/plan@1");
    assert.deepEqual(
      plan.mutations.map((mutation: { request: { body: unknown } }) => mutation.request.body),
      [BODY],
    );
    assert.ok(json.methods.length <= 4);
    assert.ok(json.methods.every((method) => method === "GET"));
    assert.equal((await sent([...PIN, "--dry-run", "--exit-code"])).called.status, 10);
  });

  test("a dry run in words ends with the command that applies it", async () => {
    const { called } = await sent([...PIN, "--dry-run"]);
    assert.match(called.stdout, /^PREVIEW, nothing sent · key [0-9a-f]{8} · 127\.0\.0\.1/);
    assert.match(called.stdout, /\nApply it: readback run pin-gpu image-generator --gpu "NVIDIA L40S"\n$/);
    assert.equal(called.stderr, "");
  });

  test("without a terminal and without --yes it shows the plan on stderr and sends no change", async () => {
    const { called, methods } = await sent(PIN);
    assert.equal(called.status, 3);
    assert.equal(called.stdout, "");
    assert.match(called.stderr, /^PREVIEW, nothing sent/);
    assert.equal(errorOf(called)["code"], "not_confirmed");
    assert.match(String(errorOf(called)["followUp"]), /--gpu "NVIDIA L40S" --yes$/);
    assert.ok(methods.every((method) => method === "GET"));
  });

  test("--yes sends one PATCH after a fresh GET, reads back, and says verified", async () => {
    const { called, methods } = await sent([...PIN, "--yes"]);
    assert.equal(called.status, 0, called.stderr);
    assert.equal(methods.filter((method) => method === "PATCH").length, 1);
    assert.ok(methods.filter((method) => method === "GET").length <= 6);
    assert.deepEqual(methods.slice(-3), ["GET", "PATCH", "GET"]);
    assert.match(called.stdout, /^VERIFIED/);
    const patch = sandbox.requests.find(({ method }) => method === "PATCH");
    assert.deepEqual(JSON.parse(String(patch?.body)), BODY);
  });

  test("a second run finds nothing to do and sends no PATCH", async () => {
    const { called, methods } = await sent([...PIN, "--yes", "--json"]);
    assert.equal(called.status, 0);
    assert.equal(JSON.parse(called.stdout).outcome, "unchanged");
    assert.ok(methods.every((method) => method === "GET"));
  });

  test("the history has the run, readable by its owner alone", async () => {
    const [file = ""] = readdirSync(history);
    assert.equal(statSync(join(history, file)).mode & 0o777, 0o600);
    const { runs } = JSON.parse((await call(["history", "--json"], { env })).stdout);
    assert.deepEqual(
      runs.map((run: Record<string, unknown>) => [`${run["runId"]}.jsonl`, run["recipe"], run["outcome"]]),
      [[file, "pin-gpu", "applied"]],
    );
    const shown = await call(["history", runs[0].runId], { env });
    assert.match(shown.stdout, new RegExp(`Undo {5}readback undo ${runs[0].runId}`));
  });

  test("undo by run id puts it back, verified, and is recorded itself", async () => {
    const [file = ""] = readdirSync(history);
    const undo = ["undo", file.replace(".jsonl", "")];
    assert.equal((await sent([...undo, "--dry-run", "--exit-code"])).called.status, 10);
    const { called, methods } = await sent([...undo, "--yes"]);
    assert.equal(called.status, 0, called.stderr);
    assert.equal(methods.filter((method) => method === "PATCH").length, 1);
    const { gpu } = JSON.parse((await call(["sls", "get", "4m7x2k9q"], { env })).stdout);
    assert.deepEqual(gpu.pools, ["ADA_24"]);
    assert.equal(readdirSync(history).length, 2);
  });

  test("undo by a result file works from the folder where the person stands", async () => {
    const { called } = await sent([...PIN, "--yes", "--json"]);
    writeFileSync(join(home.path, "result.json"), called.stdout);
    const undone = await call(["undo", "result.json", "--yes"], { env, cwd: home.path });
    assert.equal(undone.status, 0, undone.stderr);
  });

  test("undo refuses a run of another host with exit 3", async () => {
    const undone = await call(["undo", "result.json", "--yes", "--sandbox"], { env, cwd: home.path });
    assert.equal(undone.status, 3, undone.stderr);
  });

  test("a run inside --sandbox is not recorded", async () => {
    const before = readdirSync(history).length;
    assert.equal((await call([...PIN, "--sandbox", "--yes"], { env })).status, 0);
    assert.equal(readdirSync(history).length, before);
  });

  test("a change that cannot be proved is exit 5 with the result on stdout and the error on stderr", async () => {
    const set = { timeout: 1000 };
    const fault = sandbox.faults.add({ route: "patchEndpoint", kind: "other-fields-changed", set });
    const { called } = await sent([...PIN, "--yes", "--json"]);
    assert.equal(called.status, 5, called.stderr);
    assert.equal(JSON.parse(called.stdout).outcome, "unverified");
    assert.equal(errorOf(called)["code"], "other_fields_changed");
    fault.remove();
  });

  test("the record of a run holds no key", () => {
    for (const file of readdirSync(history)) {
      assert.ok(!readFileSync(join(history, file), "utf8").includes(sandbox.key));
    }
  });
});
