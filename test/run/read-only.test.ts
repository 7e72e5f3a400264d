import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arg } from "../../lib/arg.ts";
import type { Ops } from "../../lib/ops.ts";
import { defineRecipe, type Recipe } from "../../lib/recipe.ts";
import { planRecipe, runReadOnly } from "../../lib/run/plan-recipe.ts";
import { cancel } from "../../lib/steps/cancel.ts";
import { stream } from "../../lib/steps/stream.ts";
import { waitFor } from "../../lib/steps/wait-for.ts";
import { type Bench, bench, loaded } from "./_sandbox.ts";

const ID = "4m7x2k9q";

/** A recipe that declares no change. */
function looking(run: (ops: Ops, job: string) => Promise<unknown>): Recipe {
  return defineRecipe({
    name: "looking",
    summary: "Look at one job",
    args: { endpoint: arg.endpoint(), job: arg.job() },
    mutates: [],
    run: (ops, { job }) => run(ops, job),
  });
}

async function submitted(at: Bench, input: object): Promise<string> {
  const { target } = at.context;
  const reply = await at.box.fetch(
    new Request(`${target.invokeUrl}/${ID}/run`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.key}`, "content-type": "application/json" },
      body: JSON.stringify({ input }),
    }),
  );
  return ((await reply.json()) as { id: string }).id;
}

const ending = looking(async (ops, id) => {
  const { status } = await waitFor(ops, { endpoint: ID, id });
  return { status };
});

describe("a recipe that declares no changes", () => {
  test("waits for real, and its value is what the wait gave", async () => {
    const at = bench();
    const job = await submitted(at, { prompt: "hi", sleepMs: 20_000 });
    const plan = await runReadOnly(loaded(ending), { endpoint: ID, job }, at.context);
    assert.deepEqual(plan.value, { status: "COMPLETED" });
    assert.equal(plan.complete, true);
  });

  test("waits for a read to be as wanted", async () => {
    const at = bench();
    const job = await submitted(at, {});
    const since = at.box.clock.now();
    const recipe = looking((ops) =>
      waitFor(ops, {
        for: "10 s to pass",
        read: async () => ({ ms: at.box.clock.now() - since }),
        until: ({ ms }) => ms >= 10_000,
      }),
    );
    const { value } = await runReadOnly(loaded(recipe), { endpoint: ID, job }, at.context);
    assert.ok((value as { ms: number }).ms >= 10_000);
  });

  test("a wait that runs out of budget ends it: there is no value to show", async () => {
    const at = bench();
    const job = await submitted(at, { sleepMs: 600_000 });
    const recipe = looking((ops, id) => waitFor(ops, { endpoint: ID, id }, { budgetMs: 2_000 }));
    await assert.rejects(runReadOnly(loaded(recipe), { endpoint: ID, job }, at.context), {
      code: "wait_timeout",
    });
  });

  test("takes a stream's chunks, and a dry run of it takes none", async () => {
    const at = bench();
    const job = await submitted(at, {});
    const chunks: string[] = [];
    const recipe = looking(async (ops, id) => {
      await stream(ops, { endpoint: ID, id }, { onChunk: (text) => void chunks.push(text) });
      return { chunks: chunks.length };
    });
    await planRecipe(loaded(recipe), { endpoint: ID, job }, at.context);
    assert.ok(!at.sent().some((line) => line.includes("/stream/")));
    await runReadOnly(loaded(recipe), { endpoint: ID, job }, at.context);
    assert.ok(at.sent().some((line) => line.includes("/stream/")));
  });

  test("sends no change, whatever the types were told", async () => {
    const at = bench();
    const job = await submitted(at, { sleepMs: 60_000 });
    const recipe = looking((ops, id) => cancel(ops as never, { endpoint: ID, id }));
    const before = at.box.requests.length;
    await assert.rejects(runReadOnly(loaded(recipe), { endpoint: ID, job }, at.context), {
      code: "undeclared_mutation",
    });
    assert.ok(at.box.requests.slice(before).every(({ method }) => method === "GET"));
  });
});
