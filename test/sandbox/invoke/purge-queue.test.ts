import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { health, invoke, status, submit } from "../_client.ts";

test("purge clears what waits, and what runs goes on", async () => {
  const sandbox = createSandbox({ scenario: "busy-queue" });
  const { jobs } = await health(sandbox);
  const { json } = await invoke(sandbox, "POST purge-queue");
  assert.deepEqual(json, { removed: jobs.inQueue, status: "completed" });
  sandbox.clock.advance(3100);
  const after = (await health(sandbox)).jobs;
  assert.deepEqual([after.inQueue, after.inProgress], [0, jobs.inProgress]);
  assert.equal((await invoke(sandbox, "POST purge-queue")).json.removed, 0);
});

test("the counts settle one to three seconds later", async () => {
  const sandbox = createSandbox({ scenario: "worker-limit" });
  for (let i = 0; i < 7; i++) await submit(sandbox);
  await invoke(sandbox, "POST purge-queue");
  const seen = [];
  for (const ms of [0, 999, 2100]) {
    sandbox.clock.advance(ms);
    seen.push((await health(sandbox)).jobs.inQueue);
  }
  assert.deepEqual(seen, [7, 7, 0]);
});

test("a purged job is CANCELLED or forgotten, as the rule says", async () => {
  for (const purgedJobs of ["CANCELLED", "removed"] as const) {
    const sandbox = createSandbox({ rules: { purgedJobs } });
    const job = await submit(sandbox);
    await invoke(sandbox, "POST purge-queue");
    const answer = await invoke(sandbox, `GET status/${job}`);
    assert.deepEqual(
      [answer.status, answer.json.status],
      purgedJobs === "removed" ? [404, undefined] : [200, "CANCELLED"],
    );
  }
});

test("concurrent-submit: jobs arrive right before or after a purge", async () => {
  for (const [when, removed, left] of [
    ["before", 4, 0],
    ["after", 1, 3],
  ] as const) {
    const sandbox = createSandbox({ scenario: "worker-limit" });
    sandbox.faults.add({ route: "purgeQueue", kind: "concurrent-submit", jobs: 3, when });
    const job = await submit(sandbox);
    assert.equal((await invoke(sandbox, "POST purge-queue")).json.removed, removed);
    sandbox.clock.advance(3100);
    assert.equal((await health(sandbox)).jobs.inQueue, left);
    assert.equal((await status(sandbox, job)).status, "CANCELLED");
  }
});
