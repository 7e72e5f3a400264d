import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { health, invoke, status, submit } from "../_client.ts";

const MINUTE = 60_000;
const code = async (sandbox: Sandbox, job: string) => (await invoke(sandbox, `GET status/${job}`)).status;

test("a result of run is kept for 30 minutes, one of runsync for one", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox);
  const { json } = await invoke(sandbox, "POST runsync", { body: { input: { prompt: "x" } } });
  sandbox.clock.advance(MINUTE - 1);
  assert.deepEqual([await code(sandbox, job), await code(sandbox, json.id)], [200, 200]);
  sandbox.clock.advance(1);
  assert.deepEqual([await code(sandbox, job), await code(sandbox, json.id)], [200, 404]);
  sandbox.clock.advance(30 * MINUTE);
  assert.equal(await code(sandbox, job), 404);
  assert.equal((await health(sandbox)).jobs.completed, 2, "the counts stay");
});

test("a job that waits out its time to live is TIMED_OUT or forgotten, as the rule says", async () => {
  for (const expiresInQueue of ["TIMED_OUT", "removed"] as const) {
    const sandbox = createSandbox({ scenario: "worker-limit", rules: { expiresInQueue } });
    const short = await submit(sandbox, { prompt: "x" }, { policy: { ttl: MINUTE } });
    const usual = await submit(sandbox);
    sandbox.clock.advance(MINUTE);
    const answer = await invoke(sandbox, `GET status/${short}`);
    const expected = expiresInQueue === "removed" ? [404, undefined] : [200, "TIMED_OUT"];
    assert.deepEqual([answer.status, answer.json.status], expected);
    assert.equal((await health(sandbox)).jobs.inQueue, 1);
    sandbox.clock.advance(24 * 60 * MINUTE - MINUTE - 1);
    assert.equal((await status(sandbox, usual)).status, "IN_QUEUE");
    sandbox.clock.advance(31 * MINUTE);
    assert.deepEqual([await code(sandbox, usual), await code(sandbox, short)], [404, 404]);
  }
});

test("the time to live is hard: a running job is gone, and its worker is free", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox, { prompt: "x", sleepMs: 10 * MINUTE }, { policy: { ttl: 20_000 } });
  sandbox.clock.advance(19_000);
  assert.equal((await status(sandbox, job)).status, "IN_PROGRESS");
  sandbox.clock.advance(1000);
  assert.equal(await code(sandbox, job), 404);
  const { jobs, workers } = await health(sandbox);
  assert.deepEqual([jobs.inProgress, workers.running, workers.idle], [0, 0, 1]);
});
