import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { CPU, call, health, patch, QUEUE, submit, workers } from "../_client.ts";

async function rollout(sandbox: Sandbox): Promise<string> {
  const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
  const { inProgress, workersOnLatest, workersTotal, percentOnLatest } = json.rollout;
  return `${inProgress ? "rolling" : "done"} ${workersOnLatest}/${workersTotal} ${percentOnLatest} %`;
}

test("a new image replaces idle workers at once, and busy ones once their job has ended", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { workers: { min: 2 } });
  sandbox.clock.advance(15_000);
  await submit(sandbox, { prompt: "x", sleepMs: 100_000 });
  sandbox.clock.advance(1000);
  await patch(sandbox, QUEUE, { image: "acme/sdxl-worker:1.4.3" });
  const seen = [await rollout(sandbox)];
  for (const ms of [3000, 60_000, 36_100, 3000]) {
    sandbox.clock.advance(ms);
    seen.push(await rollout(sandbox));
  }
  assert.deepEqual(seen, [
    "rolling 1/3 33 %",
    "rolling 1/2 50 %",
    "rolling 1/2 50 %",
    "rolling 2/3 66 %",
    "done 2/2 100 %",
  ]);
  const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
  assert.deepEqual([json.releases[0].workerCount, json.releases[1].workerCount], [2, 0]);
});

test("new requests prefer workers of the new version, also while old ones have nothing to do", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { workers: { min: 1 } });
  sandbox.clock.advance(15_000);
  await patch(sandbox, QUEUE, { gpu: { minCudaVersion: "12.4" }, workers: { min: 2 } });
  sandbox.clock.advance(15_000);
  const [old, latest] = (await workers(sandbox)).workers;
  assert.deepEqual([old.isStale, latest.isStale], [true, false]);
  const job = await submit(sandbox, { prompt: "x", sleepMs: 1000 });
  sandbox.clock.advance(5000);
  assert.equal(sandbox.state.fleets.get(QUEUE)?.jobs.get(job)?.workerId, latest.id);
});

test("a replaced worker is idle for its last seconds, and leaves no copy to start from", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { workers: { min: 1 } });
  sandbox.clock.advance(15_000);
  await patch(sandbox, QUEUE, { image: "acme/sdxl-worker:1.4.3" });
  const { summary, workers: list } = await workers(sandbox);
  assert.deepEqual([list[0].status, list[0].isStale, summary.initializing], ["IDLE", true, 1]);
  sandbox.clock.advance(3000);
  assert.deepEqual((await health(sandbox)).workers.ready, 0);
});

test("a change beyond the container leaves running workers be: they are stale and keep serving", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { workers: { min: 1 } });
  sandbox.clock.advance(15_000);
  await patch(sandbox, QUEUE, { gpu: { pools: ["AMPERE_24"] } });
  sandbox.clock.advance(600_000);
  const { workers: list, endpointVersion } = await workers(sandbox);
  assert.deepEqual([list.length, list[0].isStale, list[0].version, endpointVersion], [1, true, 4, 5]);
  assert.equal(await rollout(sandbox), "rolling 0/1 0 %");
});

test("at version 1 a worker is stale by its image", async () => {
  const sandbox = createSandbox({ rules: { releaseFields: [], rolledFields: [] } });
  await patch(sandbox, CPU, { workers: { min: 1 } });
  assert.equal((await workers(sandbox, CPU)).workers[0].isStale, false);
  await patch(sandbox, CPU, { image: "acme/other:2" });
  const { workers: list, endpointVersion } = await workers(sandbox, CPU);
  assert.deepEqual([list[0].isStale, endpointVersion], [true, 1]);
});
