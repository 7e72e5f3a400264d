import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFields, fieldsOf, reordered, sameValue } from "../../lib/plan/fields.ts";
import { endpoint } from "./_world.ts";

test("absent, null and [] are one value", () => {
  const { dataCenterIds: _, ...rest } = endpoint({ dataCenterIds: [] });
  assert.deepEqual(changedFields(rest, endpoint({ dataCenterIds: [] })), []);
  assert.equal(sameValue("gpu.excludedTypes", undefined, []), true);
  assert.equal(sameValue("gpu.minCudaVersion", null, ""), true);
});

test("an empty environment variable is not an absent one", () => {
  assert.equal(sameValue("env.A", "", undefined), false);
});

test("the order of excludedTypes and dataCenterIds is no difference, that of ports is one", () => {
  assert.equal(sameValue("gpu.excludedTypes", ["a", " b"], ["b", "a"]), true);
  assert.equal(sameValue("dataCenterIds", ["A", "B"], ["B", "A"]), true);
  assert.equal(sameValue("ports", ["1/http", "2/http"], ["2/http", "1/http"]), false);
});

test("pools in another order are the same pools, and can be told", () => {
  assert.equal(sameValue("gpu.pools", ["A", "B"], ["B", "A"]), true);
  assert.equal(reordered(["A", "B"], ["B", "A"]), true);
  assert.equal(reordered(["A", "B"], ["A", "B"]), false);
  assert.equal(reordered(["A", "B"], ["A", "C"]), false);
});

test("numbers are compared as the service keeps them", () => {
  assert.equal(sameValue("scaling.queueDelay", 4.3, 4.300000190734863), true);
  assert.equal(sameValue("scaling.queueDelay", 4.3, 4.4), false);
  assert.equal(sameValue("gpu.count", undefined, 1), true);
});

test("memory of a CPU configuration is derived and does not count", () => {
  const cpu = { id: "cpu5c", vcpuCount: 4 };
  assert.equal(sameValue("cpu", [cpu], [{ ...cpu, memory: 8 }]), true);
  assert.equal(sameValue("cpu", [cpu], [{ ...cpu, vcpuCount: 8 }]), false);
});

test("every field of an endpoint is compared, also one that nobody knows", () => {
  const before = { ...endpoint(), futureField: { a: 1 } };
  const after = { ...endpoint({ timeout: 1 }), futureField: { a: 2 } };
  assert.deepEqual(
    changedFields(before, after).map(({ path }) => path),
    ["timeout", "futureField.a"],
  );
});

test("what the service counts about an endpoint is no setting", () => {
  const fields = fieldsOf({ ...endpoint(), version: 4, updatedAt: "x", endpointVersion: 5 });
  assert.equal(
    ["version", "updatedAt", "endpointVersion"].some((path) => fields.has(path)),
    false,
  );
});
