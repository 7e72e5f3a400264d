import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arg, defineRecipe, type Ops, patch, readEndpoint } from "../../lib/mod.ts";
import { createBench } from "../../lib/testing/mod.ts";
import pinGpu from "../../recipes/pin-gpu.ts";

const pin = { endpoint: "image-generator", gpu: "NVIDIA L40S" };

describe("createBench()", () => {
  test("plans in a fresh sandbox and sends no change", async () => {
    const bench = createBench();
    const { mutations } = await bench.plan(pinGpu, pin);
    assert.deepEqual(
      mutations.map(({ diff }) => diff[0]?.path),
      ["gpu.pools"],
    );
    assert.ok(bench.requests().every((line) => line.startsWith("GET ")));
  });

  test("applies and reads back; a second time there is nothing to do", async () => {
    const bench = createBench();
    const first = await bench.apply(pinGpu, pin);
    assert.deepEqual([first.outcome, first.recorded], ["applied", false]);
    assert.equal((await bench.apply(pinGpu, pin)).outcome, "unchanged");
    assert.equal((await createBench().apply(pinGpu, pin)).outcome, "applied");
  });

  test("takes numbers as they are written, and keeps what a recipe tells", async () => {
    const recipe = defineRecipe({
      name: "tells",
      summary: "Tells",
      args: { endpoint: arg.endpoint(), max: arg.integer() },
      mutates: ["patch:workers"],
      async run(ops: Ops<"patch:workers">, { endpoint, max }) {
        ops.note(`max ${max}`);
        await patch(ops, await readEndpoint(ops, endpoint), { workers: { max } });
      },
    });
    const bench = createBench();
    const { mutations } = await bench.plan(recipe, { endpoint: "transcriber", max: 4 });
    assert.deepEqual(mutations[0]?.diff, [{ path: "workers.max", before: 6, after: 4 }]);
    assert.deepEqual(bench.notes, ["max 4"]);
  });

  test("shows a fault of the sandbox as the person would see it", async () => {
    const bench = createBench();
    bench.sandbox.faults.add({ route: "patchEndpoint", kind: "lying-echo" });
    const { outcome, error } = await bench.apply(pinGpu, pin);
    assert.deepEqual([outcome, error?.code], ["unverified", "not_applied"]);
  });
});
