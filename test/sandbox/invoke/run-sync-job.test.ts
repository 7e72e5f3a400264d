import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { invoke, status } from "../_client.ts";

const sync = (sleepMs: number) => ({ body: { input: { prompt: "x", sleepMs } } });

test("runsync answers with the finished job, in the moment it ends", async () => {
  const sandbox = createSandbox();
  const before = sandbox.clock.now();
  const { json } = await invoke(sandbox, "POST runsync", sync(2000));
  assert.match(json.id, /^sync-/);
  assert.equal(json.status, "COMPLETED");
  assert.equal(sandbox.clock.now() - before, json.delayTime + json.executionTime);
});

test("runsync holds for 90 s, or for its wait, and then gives the id of a job that goes on", async () => {
  for (const [query, held] of [
    ["", 90_000],
    ["?wait=1000", 1000],
    ["?wait=300000", 300_000],
  ] as const) {
    const sandbox = createSandbox();
    const before = sandbox.clock.now();
    const { json } = await invoke(sandbox, `POST runsync${query}`, sync(580_000));
    assert.equal(sandbox.clock.now() - before, held);
    assert.deepEqual(Object.keys(json), ["id", "status"]);
    sandbox.clock.advance(600_000 - held);
    assert.equal((await status(sandbox, json.id)).status, "COMPLETED");
  }
});

test("a wait outside 1000 to 300000 is 400 and submits nothing", async () => {
  const sandbox = createSandbox();
  for (const wait of ["29", "999", "300001", "x", "-5", ""]) {
    const { status: code, json } = await invoke(sandbox, `POST runsync?wait=${wait}`, sync(1));
    assert.deepEqual([code, json], [400, { error: "wait is invalid; must be between 1000 and 300000" }]);
  }
  assert.equal(sandbox.state.fleets.get("4m7x2k9q")?.jobs.size, 0);
});

test("a client that goes away leaves a job that nobody can poll", async () => {
  const sandbox = createSandbox({ speed: 1 });
  const controller = new AbortController();
  const request = new Request(`${sandbox.origin}/invoke/v2/4m7x2k9q/runsync`, {
    ...{ method: "POST", body: JSON.stringify(sync(600_000).body), signal: controller.signal },
    headers: { authorization: `Bearer ${sandbox.key}` },
  });
  const answer = sandbox.fetch(request);
  setTimeout(() => controller.abort(new Error("gone")), 5);
  await assert.rejects(answer, /gone/);
  assert.equal(sandbox.state.fleets.get("4m7x2k9q")?.jobs.size, 1);
});
