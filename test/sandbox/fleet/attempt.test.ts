import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { health, settings, status, submit, workers } from "../_client.ts";

test("a silent worker's job is tried again after 40 s and given up 42 s later, with the delay counted anew", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = "silent";
  settings(sandbox).coldStartMs = [10_000, 10_000];
  const job = await submit(sandbox);
  const seen = [];
  for (const ms of [20_000, 40_000, 42_000]) {
    sandbox.clock.advance(ms);
    const { status: state, delayTime, retries } = await status(sandbox, job);
    seen.push([state, delayTime, retries]);
  }
  assert.deepEqual(seen, [
    ["IN_PROGRESS", 10_060, undefined],
    ["IN_PROGRESS", 50_120, 1],
    ["FAILED", 50_120, 1],
  ]);
  const { error, executionTime, workerId } = await status(sandbox, job);
  assert.deepEqual([error, executionTime], ["job timed out after 1 retries", 42_078]);
  const { jobs } = await health(sandbox);
  assert.deepEqual([jobs.failed, jobs.retried, jobs.inProgress], [1, 1, 0]);
  assert.match(workerId, /./);
});

test("an empty input is refused by the worker and ends as a timeout, unless the worker copes", async () => {
  for (const [emptyInput, expected] of [
    ["refuses", "FAILED"],
    ["works", "COMPLETED"],
  ] as const) {
    const sandbox = createSandbox();
    Object.assign(settings(sandbox), { handler: "echo", emptyInput });
    const job = await submit(sandbox, {});
    sandbox.clock.advance(110_000);
    assert.equal((await status(sandbox, job)).status, expected);
  }
});

test("the execution timeout ends the job and stops its worker, under either name", async () => {
  for (const executionTimeout of ["TIMED_OUT", "FAILED"] as const) {
    const sandbox = createSandbox({ rules: { executionTimeout } });
    const job = await submit(
      sandbox,
      { prompt: "x", sleepMs: 60_000 },
      { policy: { executionTimeout: 5000 } },
    );
    sandbox.clock.advance(12_100 + 5000);
    const ended = await status(sandbox, job);
    assert.deepEqual([ended.status, ended.executionTime, ended.output], [executionTimeout, 5000, undefined]);
    sandbox.clock.advance(3100);
    const gone = (await workers(sandbox)).workers.every(({ id }: { id: string }) => id !== ended.workerId);
    assert.equal(gone, true);
    assert.equal((await health(sandbox)).jobs.failed, 1);
  }
});

test("without a policy the endpoint's timeout counts", async () => {
  const sandbox = createSandbox();
  const endpoint = sandbox.state.endpoints.get("4m7x2k9q");
  assert.ok(endpoint);
  endpoint.timeout = 7000;
  const job = await submit(sandbox, { prompt: "x", sleepMs: 60_000 });
  sandbox.clock.advance(60_000);
  assert.equal((await status(sandbox, job)).executionTime, 7000);
  endpoint.timeout = 0;
  const unlimited = await submit(sandbox, { prompt: "x", sleepMs: 900_000 });
  sandbox.clock.advance(1_000_000);
  assert.equal((await status(sandbox, unlimited)).status, "COMPLETED");
});

test("jobs run in order, one at a time on a worker", async () => {
  const sandbox = createSandbox();
  const endpoint = sandbox.state.endpoints.get("4m7x2k9q");
  assert.ok(endpoint);
  endpoint.workers.max = 1;
  const jobs = [];
  for (let i = 0; i < 3; i++) jobs.push(await submit(sandbox, { prompt: "x", sleepMs: 10_000 }));
  sandbox.clock.advance(12_100);
  const seen = [];
  for (let i = 0; i < 3; i++) {
    const states = await Promise.all(jobs.map((job) => status(sandbox, job)));
    seen.push(states.map(({ status: state }) => state));
    sandbox.clock.advance(10_060);
  }
  const [c, p, q] = ["COMPLETED", "IN_PROGRESS", "IN_QUEUE"];
  assert.deepEqual(seen, [
    [p, q, q],
    [c, p, q],
    [c, c, p],
  ]);
});

test("a job that is tried again goes before those that wait", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = "silent";
  const endpoint = sandbox.state.endpoints.get("4m7x2k9q");
  assert.ok(endpoint);
  endpoint.workers.max = 1;
  const jobs = [await submit(sandbox), await submit(sandbox)];
  sandbox.clock.advance(12_100 + 41_000);
  const states = await Promise.all(jobs.map((job) => status(sandbox, job)));
  assert.deepEqual(
    states.map(({ status: state, retries }) => [state, retries]),
    [
      ["IN_PROGRESS", 1],
      ["IN_QUEUE", undefined],
    ],
  );
});
