import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { invoke, settings, status, submit } from "../_client.ts";

test("a job shows what the platform has of it, and nothing else", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox, { prompt: "x", sleepMs: 4000 });
  assert.deepEqual(await status(sandbox, job), { id: job, status: "IN_QUEUE" });
  sandbox.clock.advance(13_000);
  const running = await status(sandbox, job);
  assert.deepEqual(Object.keys(running), ["id", "status", "delayTime", "workerId"]);
  assert.match(running.workerId, /^[0-9a-z]{14}$/);
  sandbox.clock.advance(4000);
  const done = await status(sandbox, job);
  assert.deepEqual(Object.keys(done), ["id", "status", "delayTime", "executionTime", "output", "workerId"]);
  assert.deepEqual([done.status, done.executionTime, done.workerId], ["COMPLETED", 4000, running.workerId]);
  assert.ok(done.delayTime >= 8000 && done.delayTime <= 12_100, String(done.delayTime));
});

test("progress shows as output while the job runs", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = () => ({
    ms: 5000,
    progress: [{ atMs: 1000, json: '"half"' }],
    output: '"whole"',
  });
  const job = await submit(sandbox);
  sandbox.clock.advance(14_000);
  const running = await status(sandbox, job);
  assert.deepEqual([running.status, running.output], ["IN_PROGRESS", "half"]);
  sandbox.clock.advance(5000);
  assert.equal((await status(sandbox, job)).output, "whole");
});

test("ttl sets the time to live, or is ignored", async () => {
  for (const [statusTtl, code] of [
    ["sets", 404],
    ["ignored", 200],
  ] as const) {
    const sandbox = createSandbox({ rules: { statusTtl } });
    const job = await submit(sandbox);
    sandbox.clock.advance(60_000);
    assert.equal((await invoke(sandbox, `GET status/${job}?ttl=5000`)).status, 200);
    sandbox.clock.advance(5000);
    assert.equal((await invoke(sandbox, `GET status/${job}`)).status, code);
  }
});

test("status-sync answers when the job ends, and after its wait at the latest", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox, { prompt: "x", sleepMs: 60_000 });
  const at = (ms: number) => sandbox.clock.now() - ms;
  const start = sandbox.clock.now();
  const early = await invoke(sandbox, `GET status-sync/${job}?wait=2000`);
  assert.deepEqual([early.json.status, at(start)], ["IN_QUEUE", 2000]);
  const clamped = await invoke(sandbox, `GET status-sync/${job}?wait=1`);
  assert.deepEqual([clamped.json.status, at(start)], ["IN_QUEUE", 3000]);
  const { json } = await invoke(sandbox, `GET status-sync/${job}?wait=9999999`);
  assert.deepEqual([json.status, at(start)], ["COMPLETED", json.delayTime + 60_000]);
  await invoke(sandbox, `GET status-sync/${job}`);
  assert.equal(at(start), json.delayTime + 60_000);
});

test("status-sync holds no longer than 90 s", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox, { prompt: "x", sleepMs: 500_000 });
  const start = sandbox.clock.now();
  await invoke(sandbox, `GET status-sync/${job}?wait=9999999`);
  assert.equal(sandbox.clock.now() - start, 90_000);
});

test("status-sync can be a route that does not exist, and ends when its job is forgotten", async () => {
  const without = createSandbox({ rules: { statusSync: false } });
  assert.equal((await invoke(without, `GET status-sync/${await submit(without)}`)).status, 404);
  const sandbox = createSandbox();
  const job = await submit(sandbox, { prompt: "x", sleepMs: 60_000 }, { policy: { ttl: 20_000 } });
  const start = sandbox.clock.now();
  const answer = await invoke(sandbox, `GET status-sync/${job}`);
  assert.deepEqual([answer.status, sandbox.clock.now() - start], [404, 20_000]);
});

test("a status-sync that is held sees a cancel at once", async () => {
  const sandbox = createSandbox({ speed: 1 });
  const job = await submit(sandbox);
  const held = invoke(sandbox, `GET status-sync/${job}`);
  await invoke(sandbox, `POST cancel/${job}`);
  assert.equal((await held).json.status, "CANCELLED");
});

test("list of requests: every job that is kept, with its state", async () => {
  const sandbox = createSandbox();
  const jobs = [await submit(sandbox), await submit(sandbox)];
  const { json } = await invoke(sandbox, "GET requests");
  assert.deepEqual(json, { requests: jobs.map((id) => ({ id, status: "IN_QUEUE" })) });
});
