import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { call, temporaryFolder } from "./_spawn.ts";

const FIDELITY = '{"seed":18446744073709551615,"f":1.0,"gpuTypeId":"x","__proto__":{"a":1}}';

describe("jobs inside --sandbox", () => {
  test("run verify submits a job and ends with COMPLETED, its payload, times and worker", async () => {
    const words = ["run", "verify", "image-generator", "--input", '{"prompt":"hi"}', "--sandbox"];
    const called = await call([...words, "--yes"]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /^VERIFIED .*Submit 1 job to image-generator$/m);
    assert.match(
      called.stdout,
      /^COMPLETED {2}job \S+ · waited \d+ ms for a worker · ran \d+ ms · on worker \w+$/m,
    );
    assert.match(called.stdout, /^\{"id":.*"output":\{"image_url":/m);
    assert.match((await call([...words, "--dry-run"])).stdout, /^PREVIEW|· PREVIEW, nothing sent/);
  });

  test("run verify of a job that fails shows its payload too, exit 1", async () => {
    const called = await call(["run", "verify", "image-generator", "--input", "{}", "--sandbox", "--yes"]);
    assert.equal(called.status, 1, called.stderr);
    assert.match(called.stdout, /"status":"FAILED"/);
  });

  test("a wait moves the sandbox's own clock: minutes pass at once", async () => {
    const startedMs = Date.now();
    const input = '{"sleepMs":240000}';
    const called = await call([
      "sls",
      "run",
      "cpu-inference",
      "--input",
      input,
      "--wait",
      "10m",
      "--sandbox",
    ]);
    assert.equal(called.status, 0, called.stderr);
    assert.ok(Date.now() - startedMs < 10_000);
  });

  test("recipes of jobs are listed by name", async () => {
    const { recipes } = JSON.parse((await call(["recipes", "--json"])).stdout);
    const names = recipes.map(({ name }: { name: string }) => name);
    for (const name of ["verify", "cancel-job", "purge-queue", "bounce-workers"])
      assert.ok(names.includes(name));
  });
});

describe("jobs on a served sandbox", () => {
  const home = temporaryFolder();
  let sandbox: Sandbox;
  let served: ServedSandbox;
  let env: Record<string, string>;
  const sls = (...args: readonly string[]) => call(["serverless", ...args], { env });
  const idOf = (text: string): string => JSON.parse(text).id;
  before(async () => {
    sandbox = createSandbox({ speed: 60 });
    served = await serve(sandbox);
    env = { ...served.env, HOME: home.path };
  });
  after(async () => {
    await served.close();
    home.remove();
  });

  test("a dry run of verify sends no POST", async () => {
    await call(["run", "verify", "image-generator", "--input", '{"prompt":"hi"}', "--dry-run"], { env });
    assert.ok(sandbox.requests.every(({ method }) => method === "GET"));
  });

  test("every token of an input comes back in its order", async () => {
    const called = await sls("run", "cpu-inference", "--input", FIDELITY);
    assert.equal(called.status, 0, called.stderr);
    assert.ok(called.stdout.includes(`"output":${FIDELITY}`), called.stdout);
    assert.equal(sandbox.requests.find(({ method }) => method === "POST")?.body, `{"input":${FIDELITY}}`);
  });

  test("a job goes from submit through status to cancel, and its status says so afterwards", async () => {
    const id = idOf(
      (await sls("run", "cpu-inference", "--input", '{"sleepMs":3600000}', "--no-wait")).stdout,
    );
    assert.equal((await sls("status", "cpu-inference", id)).status, 0);
    assert.match((await sls("cancel", "cpu-inference", id)).stdout, /CANCELLED, verified/);
    assert.equal((await sls("status", "cpu-inference", id)).status, 1);
    assert.match((await sls("cancel", "cpu-inference", id)).stdout, /had already ended: CANCELLED/);
  });

  test("chunks of a stream come whole, and a second call falls back to the status", async () => {
    const input = '{"chunks":3,"everyMs":30000}';
    const id = idOf((await sls("run", "transcriber", "--input", input, "--no-wait")).stdout);
    const first = await sls("stream", "transcriber", id);
    assert.equal(first.status, 0, first.stderr);
    const words = first.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).output.index);
    assert.deepEqual(words, [0, 1, 2]);
    const second = await sls("stream", "transcriber", id);
    assert.match(second.stderr, /already drained/);
    assert.equal(JSON.parse(second.stdout).status, "COMPLETED");
  });
});
