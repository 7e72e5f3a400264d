import assert from "node:assert/strict";
import { test } from "node:test";
import { overlay } from "../../lib/plan/overlay.ts";
import { judge } from "../../lib/plan/verdict.ts";
import { endpoint } from "./_world.ts";

const before = endpoint();
const pin = { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] } };
const applied = overlay(before, pin).endpoint;

test("verified: the targets hold and nothing else moved", () => {
  assert.equal(judge(before, pin, applied).verdict, "verified");
});

test("verified: the same selection in another order, and [] where nothing was", () => {
  const gpu = {
    ...applied.gpu,
    excludedTypes: ["NVIDIA L40"],
    allowedCudaVersions: [],
    minCudaVersion: null,
  };
  assert.equal(
    judge(before, pin, { ...applied, gpu: { ...gpu, pools: ["ADA_48_PRO"] } }).verdict,
    "verified",
  );
});

test("not_applied: accepted, and everything reads as before", () => {
  assert.equal(judge(before, pin, before).verdict, "not_applied");
});

test("wrong_value: half of a change is not the change", () => {
  const half = {
    ...applied,
    gpu: { ...endpoint().gpu, pools: ["ADA_48_PRO"], allowedCudaVersions: [], minCudaVersion: null },
  };
  assert.equal(judge(before, pin, half).verdict, "wrong_value");
});

test("other_fields_changed: the targets hold, and the fields that moved are listed, exactly", () => {
  const reset = { ...applied, workers: { min: 0, max: 3, idleTimeout: 10 } };
  const { verdict, otherFields } = judge(before, pin, reset);
  assert.equal(verdict, "other_fields_changed");
  assert.deepEqual(otherFields, [
    { path: "workers.max", before: 5, after: 3 },
    { path: "workers.idleTimeout", before: 5, after: 10 },
  ]);
});

test("other_fields_changed: a neighbour inside the same object is another field too", () => {
  const floor = {
    ...applied,
    gpu: {
      pools: ["ADA_48_PRO"],
      excludedTypes: ["NVIDIA L40"],
      allowedCudaVersions: [],
      minCudaVersion: "12.8",
    },
  };
  assert.deepEqual(
    judge(before, pin, floor).otherFields.map(({ path }) => path),
    ["gpu.minCudaVersion"],
  );
});

test("a key of env that the body does not have any more must be gone", () => {
  const body = { env: { MODEL_NAME: "m2" } };
  const kept = { ...before, env: { MODEL_NAME: "m2", HF_TOKEN: "hf_OLD" } };
  assert.equal(judge(before, body, kept).verdict, "wrong_value");
  assert.equal(judge(before, body, { ...before, env: body.env }).verdict, "verified");
});

test("the idle timeout that vanishes with the switch to REQUEST_COUNT is expected", () => {
  const body = { scaling: { type: "REQUEST_COUNT", requestCount: 2 } } as const;
  const after = { ...before, scaling: body.scaling, workers: { min: 0, max: 5 } };
  assert.equal(judge(before, body, after).verdict, "verified");
});

test("unverifiable: what a template wrote, no read can tell", () => {
  assert.equal(judge(before, { templateId: "t" }, { ...before, image: "acme/x:2" }).verdict, "unverifiable");
});
