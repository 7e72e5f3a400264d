import assert from "node:assert/strict";
import { test } from "node:test";
import { overlay } from "../../lib/plan/overlay.ts";
import { endpoint } from "./_world.ts";

const pinned = endpoint({
  gpu: {
    pools: ["AMPERE_48", "ADA_48_PRO"],
    excludedTypes: ["NVIDIA L40"],
    count: 1,
    allowedCudaVersions: [],
    minCudaVersion: "12.4",
  },
});

test("pools without excludedTypes clears the exclusions", () => {
  assert.deepEqual(overlay(pinned, { gpu: { pools: ["ADA_24"] } }).endpoint.gpu?.excludedTypes, []);
});

test("a CUDA-only body leaves pools and exclusions", () => {
  const { gpu } = overlay(pinned, { gpu: { minCudaVersion: "" } }).endpoint;
  assert.deepEqual([gpu?.pools, gpu?.excludedTypes], [pinned.gpu?.pools, pinned.gpu?.excludedTypes]);
  assert.equal(gpu?.minCudaVersion, null);
});

test("workers is sparse, env is replaced whole", () => {
  const after = overlay(endpoint(), { workers: { max: 9 }, env: { A: "1" } }).endpoint;
  assert.deepEqual(after.workers, { min: 0, max: 9, idleTimeout: 5 });
  assert.deepEqual(after.env, { A: "1" });
});

test("a switch to REQUEST_COUNT takes the idle timeout of a queue endpoint away, not of a load balancer", () => {
  const body = { scaling: { type: "REQUEST_COUNT", requestCount: 2 } } as const;
  assert.equal(overlay(endpoint(), body).endpoint.workers.idleTimeout, undefined);
  assert.equal(overlay(endpoint({ type: "LOAD_BALANCER" }), body).endpoint.workers.idleTimeout, 5);
});

test("the idle timeout that comes back with QUEUE_DELAY is unknown unless it is sent", () => {
  const counted = endpoint({
    scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    workers: { min: 0, max: 5 },
  });
  const scaling = { type: "QUEUE_DELAY", queueDelay: 4 } as const;
  assert.deepEqual(overlay(counted, { scaling }).unknown, ["workers.idleTimeout"]);
  assert.deepEqual(overlay(counted, { scaling, workers: { idleTimeout: 9 } }).unknown, []);
});

test("a template makes its fields unknown, except those that the body gives", () => {
  const { unknown } = overlay(endpoint(), { templateId: "t", image: "acme/x:1" });
  assert.deepEqual(unknown, ["args", "disk", "ports", "registry", "env", "requestUrls.health"]);
});
