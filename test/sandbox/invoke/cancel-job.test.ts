import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { health, invoke, status, submit } from "../_client.ts";

const LONG = { prompt: "x", sleepMs: 300_000 };

test("a queued job is cancelled for good", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox);
  const { json } = await invoke(sandbox, `POST cancel/${job}`);
  assert.deepEqual(json, { id: job, status: "CANCELLED" });
  sandbox.clock.advance(60_000);
  assert.deepEqual(await status(sandbox, job), { id: job, status: "CANCELLED" });
});

test("a running job is cancelled; its handler stops, or goes on until it is done", async () => {
  for (const cancelStopsHandler of [true, false]) {
    const sandbox = createSandbox({ rules: { cancelStopsHandler } });
    const job = await submit(sandbox, LONG);
    sandbox.clock.advance(20_000);
    await invoke(sandbox, `POST cancel/${job}`);
    const { jobs, workers } = await health(sandbox);
    assert.deepEqual(
      [jobs.inProgress, workers.running, workers.idle],
      [0, ...(cancelStopsHandler ? [0, 1] : [1, 0])],
    );
    sandbox.clock.advance(300_000);
    const after = await status(sandbox, job);
    assert.deepEqual([after.status, after.output], ["CANCELLED", undefined]);
  }
});

test("the counts show a cancelled job as queued for one to three seconds", async () => {
  const sandbox = createSandbox({ scenario: "worker-limit" });
  const job = await submit(sandbox);
  await invoke(sandbox, `POST cancel/${job}`);
  sandbox.clock.advance(900);
  assert.equal((await health(sandbox)).jobs.inQueue, 1);
  sandbox.clock.advance(2200);
  assert.equal((await health(sandbox)).jobs.inQueue, 0);
});

test("the cancel of a job that has ended says its status, lies, or is refused", async () => {
  for (const [cancelOfEnded, expected] of [
    ["status", [200, "COMPLETED"]],
    ["lies", [200, "CANCELLED"]],
    [400, [400, undefined]],
  ] as const) {
    const sandbox = createSandbox({ rules: { cancelOfEnded } });
    const job = await submit(sandbox);
    sandbox.clock.advance(60_000);
    const answer = await invoke(sandbox, `POST cancel/${job}`);
    assert.deepEqual([answer.status, answer.json.status], expected);
    assert.equal((await status(sandbox, job)).status, "COMPLETED");
  }
});

test("cancel-race: the job ends before the cancel arrives, and the answer says CANCELLED", async () => {
  const sandbox = createSandbox();
  sandbox.faults.add({ route: "cancelJob", kind: "cancel-race" });
  const job = await submit(sandbox, LONG);
  sandbox.clock.advance(20_000);
  assert.equal((await status(sandbox, job)).status, "IN_PROGRESS");
  const { json } = await invoke(sandbox, `POST cancel/${job}`);
  assert.deepEqual(json, { id: job, status: "CANCELLED" });
  const after = await status(sandbox, job);
  assert.deepEqual([after.status, typeof after.output.image_url], ["COMPLETED", "string"]);
});
