import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EndpointPatch } from "../../lib/api/endpoint.ts";
import { changedFields } from "../../lib/plan/fields.ts";
import { overlay } from "../../lib/plan/overlay.ts";
import { undoOf } from "../../lib/plan/undo-body.ts";
import { cpuEndpoint, endpoint } from "./_world.ts";

function bodyOf(before = endpoint(), body: EndpointPatch = {}): EndpointPatch {
  const undo = undoOf(before, body);
  assert.ok(undo.possible);
  return undo.body;
}

test("undo writes the fields that were written, and no others", () => {
  assert.deepEqual(bodyOf(endpoint(), { workers: { max: 9 } }), { workers: { max: 5 } });
  assert.deepEqual(bodyOf(endpoint(), { gpu: { minCudaVersion: "12.4" } }), { gpu: { minCudaVersion: "" } });
});

test("undo of a selection puts pools and exclusions back together", () => {
  const body = { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] } };
  assert.deepEqual(bodyOf(endpoint(), body), { gpu: { pools: ["ADA_24"], excludedTypes: [] } });
});

test("undo of a switch to REQUEST_COUNT puts the idle timeout back that it made vanish", () => {
  const body = { scaling: { type: "REQUEST_COUNT", requestCount: 1 } } as const;
  assert.deepEqual(bodyOf(endpoint(), body), {
    workers: { idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
});

test("undo of a CPU selection leaves out what the service derives", () => {
  assert.deepEqual(bodyOf(cpuEndpoint(), { cpu: [{ id: "cpu3c", vcpuCount: 2 }] }), {
    cpu: [{ id: "cpu5c", vcpuCount: 4 }],
  });
});

test("there is no undo of env, of a template, or of a field that the read before did not have", () => {
  const { image: _, ...imageless } = endpoint();
  assert.deepEqual(undoOf(endpoint(), { env: { A: "1" } }), {
    possible: false,
    why: "values of env are not recorded",
  });
  assert.equal(undoOf(endpoint(), { templateId: "t" }).possible, false);
  assert.equal(undoOf(imageless, { image: "acme/x:2" }).possible, false);
});

test("a change and its undo leave every field as it was", () => {
  const body = fc.record<EndpointPatch>(
    {
      name: fc.string({ minLength: 1 }),
      workers: fc.record({ min: fc.nat(3), max: fc.integer({ min: 3, max: 9 }) }, { requiredKeys: [] }),
      scaling: fc.oneof(
        fc.record({
          type: fc.constant("REQUEST_COUNT" as const),
          requestCount: fc.integer({ min: 1, max: 9 }),
        }),
        fc.record({ type: fc.constant("QUEUE_DELAY" as const), queueDelay: fc.integer({ min: 1, max: 9 }) }),
      ),
      timeout: fc.nat(),
      gpu: fc.oneof(
        fc.record({ pools: fc.constant(["ADA_48_PRO"]), excludedTypes: fc.constantFrom([], ["NVIDIA L40"]) }),
        fc.record({ minCudaVersion: fc.constantFrom("", "12.4") }),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, (given) => {
      const after = overlay(endpoint(), given).endpoint;
      assert.deepEqual(changedFields(endpoint(), overlay(after, bodyOf(endpoint(), given)).endpoint), []);
    }),
  );
});
