import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../../lib/api/endpoint.ts";
import { changedFields } from "../../lib/plan/fields.ts";
import { restoreCommand } from "../../lib/plan/restore-command.ts";
import { endpoint } from "./_world.ts";

function after(before: Endpoint, changes: Partial<Endpoint>): string | null {
  return restoreCommand(before, changedFields(before, { ...before, ...changes }));
}

test("it names the flags of the moved fields with the values before", () => {
  const before = endpoint({ name: "my box", args: "", registry: "cred", dataCenterIds: ["A", "B"] });
  const moved = {
    name: "x",
    args: "--fast",
    registry: null,
    dataCenterIds: [],
    timeout: 1000,
    flashboot: "OFF",
  } as const;
  assert.equal(
    after(before, moved),
    'readback serverless update 4m7x2k9q --name "my box" --clear-args --registry cred --data-center-ids A,B --execution-timeout 600000ms --flashboot on',
  );
});

test("a GPU selection is put back whole, a CUDA constraint without it", () => {
  const gpu = {
    pools: ["ADA_48_PRO"],
    excludedTypes: ["NVIDIA L40"],
    allowedCudaVersions: [],
    minCudaVersion: "12.4",
  };
  const before = endpoint({ gpu });
  assert.equal(
    after(before, { gpu: { ...gpu, excludedTypes: [] } }),
    'readback serverless update 4m7x2k9q --pools ADA_48_PRO --exclude-gpus "NVIDIA L40"',
  );
  assert.equal(
    after(before, { gpu: { ...gpu, minCudaVersion: null } }),
    "readback serverless update 4m7x2k9q --min-cuda 12.4",
  );
});

test("a value that starts with - follows =", () => {
  assert.match(after(endpoint({ args: "--fast" }), { args: "" }) ?? "", / --args=--fast$/);
  assert.match(after(endpoint({ args: "--a b" }), { args: "" }) ?? "", / --args="--a b"$/);
});

test("there is none where a field has no flag, or a value would need more than simple quotes", () => {
  assert.equal(after(endpoint(), { env: {} }), null);
  assert.equal(after(endpoint({ args: "$HOME" }), { args: "" }), null);
  assert.equal(after(endpoint({ timeout: 0 }), { timeout: 5000 }), null);
  assert.equal(restoreCommand(endpoint(), [{ path: "toString", before: 1, after: 2 }]), null);
});
