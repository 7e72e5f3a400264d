import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type InferredRules } from "../../lib/sandbox/mod.ts";
import { BALANCER, CPU, call, PINNED, patch, QUEUE, read } from "./_client.ts";

const ada48 = ["NVIDIA L40", "NVIDIA L40S", "NVIDIA RTX 6000 Ada Generation"];

/** The rule, its values, and a PATCH whose status it decides (200 stands for "accepted"). */
const STATUSES: readonly (readonly [
  keyof InferredRules,
  readonly (number | "accepted")[],
  string,
  unknown,
])[] = [
  ["nothingLeft", [400, 422], QUEUE, { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ada48 } }],
  ["unknownPool", [400, 422], QUEUE, { gpu: { pools: ["ADA_99"] } }],
  ["minAboveMax", [400, 422, "accepted"], QUEUE, { workers: { min: 6 } }],
  ["queueDelayOnLoadBalancer", [400, 422], BALANCER, { scaling: { type: "QUEUE_DELAY", queueDelay: 4 } }],
  ["idleTimeoutOnRequestCount", [400, 422], PINNED, { workers: { idleTimeout: 5 } }],
  ["emptyPatch", [200, 400, 422], QUEUE, {}],
  ["cudaAcrossPatches", ["accepted", 400, 422], PINNED, { gpu: { allowedCudaVersions: ["12.8"] } }],
  ["invalidCpu", [400, 422], CPU, { cpu: [{ id: "cpu5c", vcpuCount: 6 }] }],
  ["invalidCpu", [400, 422], CPU, { cpu: [{ id: "cpu99", vcpuCount: 4 }] }],
];

test("each inferred status can be either one", async () => {
  for (const [rule, values, id, body] of STATUSES) {
    for (const value of values) {
      const answer = await patch(createSandbox({ rules: { [rule]: value } }), id, body);
      assert.equal(answer.status, value === "accepted" ? 200 : value, `${rule} ${value}`);
    }
  }
});

test("the worker quota counts workers.max over all endpoints", async () => {
  for (const overWorkerQuota of [400, 422] as const) {
    const sandbox = createSandbox({ rules: { workerQuota: 23, overWorkerQuota } });
    assert.equal((await patch(sandbox, QUEUE, { workers: { max: 10 } })).status, 200);
    assert.equal((await patch(sandbox, QUEUE, { workers: { max: 11 } })).status, overWorkerQuota);
  }
  assert.equal((await patch(createSandbox(), QUEUE, { workers: { max: 1000 } })).status, 200);
});

test("the idle timeout returns as it was, or as the default", async () => {
  for (const [idleTimeoutReturns, seconds] of [
    ["kept", 30],
    ["default", 10],
  ] as const) {
    const sandbox = createSandbox({ rules: { idleTimeoutReturns } });
    const answer = await patch(sandbox, PINNED, { scaling: { type: "QUEUE_DELAY", queueDelay: 4 } });
    assert.equal(answer.json.workers.idleTimeout, seconds);
  }
});

test("no exclusions read as absent, or as an empty list", async () => {
  assert.equal("excludedTypes" in (await read(createSandbox(), QUEUE)).gpu, false);
  const empty = await read(createSandbox({ rules: { noExclusions: "empty" } }), QUEUE);
  assert.deepEqual(empty.gpu.excludedTypes, []);
});

test("a CPU endpoint reads gpu as null, or not at all", async () => {
  assert.equal((await read(createSandbox(), CPU)).gpu, null);
  const omitted = await read(createSandbox({ rules: { gpuOfCpuEndpoint: "omitted" } }), CPU);
  assert.equal("gpu" in omitted, false);
});

test("the body is validated before the id is looked up, or after", async () => {
  assert.equal((await patch(createSandbox(), "nobody", { bogus: 1 })).status, 422);
  const later = createSandbox({ rules: { validatesBeforeLookup: false } });
  assert.equal((await patch(later, "nobody", { bogus: 1 })).status, 404);
});

test("which fields make a release is a list", async () => {
  const sandbox = createSandbox({ rules: { releaseFields: ["workers"] } });
  await patch(sandbox, QUEUE, { image: "acme/other:2" });
  assert.equal(sandbox.state.endpoints.get(QUEUE)?.version, 4);
  await patch(sandbox, QUEUE, { workers: { max: 9 } });
  assert.equal(sandbox.state.endpoints.get(QUEUE)?.version, 5);
});

test("an omitted timeout of a create is 0, or the documented default", async () => {
  const body = {
    ...{ name: "new", type: "QUEUE", image: "acme/new:1", gpu: { pools: ["ADA_24"] } },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  };
  for (const createTimeoutMs of [0, 300_000]) {
    const sandbox = createSandbox({ rules: { createTimeoutMs } });
    assert.equal((await call(sandbox, "POST /v2/serverless", { body })).json.timeout, createTimeoutMs);
  }
});
