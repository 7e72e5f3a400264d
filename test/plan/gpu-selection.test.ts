import assert from "node:assert/strict";
import { test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import { allowedTypes, pinTo } from "../../lib/plan/gpu-selection.ts";
import { catalog } from "./_world.ts";

const usage = (error: unknown): boolean => isReadbackError(error, "usage_error");

test("pinTo() selects the pool that holds the type and excludes every other type of it", () => {
  assert.deepEqual(pinTo(catalog, "NVIDIA L40S"), {
    pools: ["ADA_48_PRO"],
    excludedTypes: ["NVIDIA L40", "NVIDIA RTX 6000 Ada Generation"],
  });
});

test("pinTo() understands a display name that names one type", () => {
  assert.deepEqual(pinTo(catalog, "l40s").pools, ["ADA_48_PRO"]);
});

test("pinTo() refuses a display name of two types, and names both ids", () => {
  const twins = [...catalog, { ...catalog[1], id: "NVIDIA L40 v2" }] as typeof catalog;
  assert.throws(() => pinTo(twins, "L40"), /names 2 GPU types: NVIDIA L40, NVIDIA L40 v2/);
});

test("pinTo() refuses an unknown type and names a near one", () => {
  assert.throws(() => pinTo(catalog, "RTX 4091"), /did you mean RTX 4090\?/);
  assert.throws(() => pinTo(catalog, "RTX 9999"), usage);
});

test("pinTo() refuses a type that is in no pool", () => {
  assert.throws(() => pinTo(catalog, "NVIDIA A30"), /in no serverless pool/);
});

test("a floor clears the list of CUDA versions, a list clears the floor, both are refused", () => {
  assert.deepEqual(pinTo(catalog, "L40S", { minCuda: "12.4" }).allowedCudaVersions, []);
  assert.equal(pinTo(catalog, "L40S", { cuda: ["12.8"] }).minCudaVersion, "");
  assert.throws(() => pinTo(catalog, "L40S", { cuda: ["12.8"], minCuda: "12.4" }), usage);
});

test("allowedTypes() is the pools minus the exclusions, in the catalog's order", () => {
  const types = allowedTypes({ pools: ["AMPERE_48", "ADA_48_PRO"], excludedTypes: [" NVIDIA L40"] }, catalog);
  assert.deepEqual(
    types.map(({ name }) => name),
    ["L40S", "RTX 6000 Ada", "A40", "RTX A6000"],
  );
});
