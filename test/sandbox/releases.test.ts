import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../lib/sandbox/mod.ts";
import { CPU, call, patch, QUEUE } from "./_client.ts";

const RELEASING = [
  { image: "acme/other:2" },
  { args: "x" },
  { disk: 40 },
  { ports: ["9/tcp"] },
  { env: {} },
  { registry: "reg_1" },
  { gpu: { pools: ["AMPERE_24"] } },
  { gpu: { minCudaVersion: "12.4" } },
  { dataCenterIds: [] },
  { networkVolumes: ["v"] },
  { flashboot: "OFF" },
];

const SILENT = [
  { name: "x" },
  { workers: { max: 1 } },
  { scaling: { type: "QUEUE_DELAY", queueDelay: 9 } },
  { timeout: 1000 },
  {},
  { image: "acme/sdxl-worker:1.4.2" },
];

test("a change that touches the container makes a MANUAL release and a new version", async () => {
  for (const body of RELEASING) {
    const sandbox = createSandbox();
    await patch(sandbox, QUEUE, body);
    const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
    assert.equal(json.endpointVersion, 5, JSON.stringify(body));
    const { version, source, createdByUserId, buildId, diff } = json.releases[0];
    assert.deepEqual([version, source, createdByUserId, buildId], [5, "MANUAL", "user_sandbox", null]);
    assert.equal(diff.length, 1, JSON.stringify(diff));
  }
});

test("name, workers, scaling, timeout and a body that changes nothing make none", async () => {
  for (const body of SILENT) {
    const sandbox = createSandbox();
    await patch(sandbox, QUEUE, body);
    const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
    assert.equal(json.endpointVersion, 4, JSON.stringify(body));
    assert.equal(json.releases.length, 2);
  }
});

test("releases come newest first and say what was and what is", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { image: "acme/sdxl-worker:1.4.3" });
  const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
  assert.deepEqual(
    json.releases.map((release: { version: number }) => release.version),
    [5, 4, 1],
  );
  assert.deepEqual(json.releases[0].diff, [
    { field: "template.imageName", old: "acme/sdxl-worker:1.4.2", new: "acme/sdxl-worker:1.4.3" },
  ]);
});

test("the worker list is in order also when it is empty", async () => {
  const sandbox = createSandbox();
  const empty = await call(sandbox, `GET /v2/serverless/${QUEUE}/workers`);
  assert.deepEqual([empty.json.workers, empty.json.summary.total], [[], 0]);
  await patch(sandbox, CPU, { workers: { min: 2 } });
  const summaries = [];
  for (const ms of [0, 12_000]) {
    sandbox.clock.advance(ms);
    summaries.push((await call(sandbox, `GET /v2/serverless/${CPU}/workers`)).json.summary);
  }
  assert.deepEqual(
    summaries.map(({ initializing, running, total }) => [initializing, running, total]),
    [
      [2, 0, 2],
      [0, 2, 2],
    ],
  );
});
