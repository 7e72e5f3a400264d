import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { BALANCER, call, health, invoke, QUEUE, settings, submit } from "../_client.ts";

test("health has five job and six worker counters", async () => {
  const { jobs, workers } = await health(createSandbox());
  assert.deepEqual(jobs, { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 });
  assert.deepEqual(workers, { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 });
});

test("health follows a job from the queue to its end", async () => {
  const sandbox = createSandbox();
  const seen: string[] = [];
  const look = async () => {
    const { jobs, workers } = await health(sandbox);
    const counts = Object.entries({ ...jobs, ...workers }).filter(([, count]) => count !== 0);
    seen.push(counts.map(([name, count]) => `${name}${count}`).join(" "));
  };
  await submit(sandbox, { prompt: "x", sleepMs: 10_000 });
  await look();
  for (const ms of [12_100, 10_000]) {
    sandbox.clock.advance(ms);
    await look();
  }
  settings(sandbox).handler = "fail";
  await submit(sandbox);
  sandbox.clock.advance(1000);
  await look();
  assert.deepEqual(seen, [
    "inQueue1 initializing1",
    "inProgress1 running1",
    "completed1 idle1 ready1",
    "completed1 failed1 idle1 ready1",
  ]);
});

test("a load balancer answers too: its minimum workers run and are ready", async () => {
  const { workers } = await health(createSandbox(), BALANCER);
  assert.deepEqual([workers.running, workers.ready, workers.idle], [1, 1, 0]);
});

test("a deleted endpoint answers from a cache for some seconds, then 404", async () => {
  const sandbox = createSandbox();
  await call(sandbox, `DELETE /v2/serverless/${QUEUE}`);
  assert.equal((await invoke(sandbox, "GET health")).status, 200);
  assert.equal((await invoke(sandbox, "GET requests")).status, 404);
  sandbox.clock.advance(5000);
  const gone = await invoke(sandbox, "GET health");
  assert.deepEqual([gone.status, gone.json], [404, { error: "endpoint not found" }]);
});

test("a created endpoint may be 404 for a moment", async () => {
  const sandbox = createSandbox({ rules: { healthAfterCreateMs: 2000 } });
  const { json } = await call(sandbox, "POST /v2/serverless", {
    body: {
      ...{ name: "new", type: "QUEUE", image: "acme/new:1", gpu: { pools: ["ADA_24"], count: 1 } },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    },
  });
  assert.equal((await invoke(sandbox, "GET health", { id: json.id })).status, 404);
  sandbox.clock.advance(2000);
  assert.equal((await invoke(sandbox, "GET health", { id: json.id })).status, 200);
});

test("ready counts FlashBoot copies, or does not, as the rule says", async () => {
  for (const readyCountsParked of [true, false]) {
    const sandbox = createSandbox({ rules: { readyCountsParked } });
    await submit(sandbox);
    sandbox.clock.advance(60_000);
    const { workers } = await health(sandbox);
    assert.deepEqual([workers.idle, workers.ready], [0, readyCountsParked ? 1 : 0]);
  }
});
