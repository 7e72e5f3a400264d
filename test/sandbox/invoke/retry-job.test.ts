import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { invoke, settings, status, submit } from "../_client.ts";

test("a failed job runs again under its id and input; what it gave is dropped", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = "fail";
  const job = await submit(sandbox, { prompt: "x", big: 1 });
  sandbox.clock.advance(60_000);
  const failed = await status(sandbox, job);
  assert.deepEqual([failed.status, failed.output], ["FAILED", { stage: "inference" }]);
  settings(sandbox).handler = "echo";
  const { json } = await invoke(sandbox, `POST retry/${job}`);
  assert.deepEqual(json, { id: job, status: "IN_QUEUE" });
  assert.deepEqual(await status(sandbox, job), { id: job, status: "IN_QUEUE" });
  sandbox.clock.advance(60_000);
  const again = await status(sandbox, job);
  assert.deepEqual(
    [again.status, again.output, again.error],
    ["COMPLETED", { prompt: "x", big: 1 }, undefined],
  );
  assert.ok(again.delayTime < 15_000, "it waits from the retry on");
});

test("a timed-out job can be retried, others and unknown ones cannot", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox, { prompt: "x", sleepMs: 60_000 }, { policy: { executionTimeout: 5000 } });
  assert.equal((await invoke(sandbox, `POST retry/${job}`)).status, 400);
  sandbox.clock.advance(30_000);
  assert.equal((await status(sandbox, job)).status, "TIMED_OUT");
  assert.equal((await invoke(sandbox, `POST retry/${job}`)).status, 200);
  assert.equal((await invoke(sandbox, "POST retry/nothing")).status, 404);
});
