import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointPatch } from "../../lib/api/endpoint.ts";
import { arg } from "../../lib/arg.ts";
import type { Ops } from "../../lib/ops.ts";
import { planDocument } from "../../lib/plan/document.ts";
import { defineRecipe, type Recipe } from "../../lib/recipe.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { RecipePlan } from "../../lib/run/recipe-plan.ts";
import type { Scope } from "../../lib/scopes.ts";
import { patch } from "../../lib/steps/patch.ts";
import { readEndpoint } from "../../lib/steps/read-endpoint.ts";
import { restoring } from "../../lib/steps/restoring.ts";
import { waitFor } from "../../lib/steps/wait-for.ts";
import { type Bench, bench, loaded } from "./_sandbox.ts";

const ID = "4m7x2k9q";

/** Stops the workers, waits until somebody else is ready, and puts them back. */
const bounce = recipe(["patch:workers"], async (ops) => {
  const before = await readEndpoint(ops, ID);
  const stop = await patch(ops, before, { workers: { max: 0 } });
  await waitFor(ops, ready(ops), { budgetMs: 60_000 });
  await restoring(ops, stop, { workers: { max: before.workers.max } });
});

function ready(ops: Ops<Scope>) {
  const read = (): Promise<{ timeout: number }> => readEndpoint(ops, "7c3v1n8p");
  return {
    for: "the other endpoint to be ready",
    read,
    until: ({ timeout }: { timeout: number }) => timeout === 1,
  };
}

function recipe(mutates: readonly Scope[], run: (ops: Ops<Scope>) => Promise<unknown>): Recipe {
  return defineRecipe({
    name: "again",
    summary: "Runs again under its plan",
    args: { endpoint: arg.endpoint() },
    mutates,
    run: (ops) => run(ops as unknown as Ops<Scope>),
  });
}

async function plan(what: Recipe, at: Bench): Promise<RecipePlan> {
  return await planRecipe(loaded(what), { endpoint: ID }, at.context);
}

/** Sets the awaited value once the clock has moved that far. */
function readyAfter(at: Bench, ms: number): void {
  const startMs = at.box.clock.now();
  const fault = {
    route: "readEndpoint" as const,
    kind: "latency" as const,
    ms: 0,
    match: () => {
      const other = at.box.state.endpoints.get("7c3v1n8p");
      if (other && at.box.clock.now() - startMs >= ms) other.timeout = 1;
      return false;
    },
  };
  at.box.faults.add(fault);
}

function maxOf(at: Bench): number | undefined {
  return at.box.state.endpoints.get(ID)?.workers.max;
}

test("a dry run looks once at what is waited for, records the wait, and plans on", async () => {
  const at = bench();
  const { mutations, waits, complete } = await plan(bounce, at);
  assert.deepEqual(waits, [{ for: "the other endpoint to be ready", budgetMs: 60_000, nowSatisfied: false }]);
  assert.equal(mutations.length, 2);
  assert.equal(complete, true);
  assert.deepEqual(planDocument(await plan(bounce, bench()))["waits"], waits);
});

test("an apply waits between the changes, and sends those of the plan", async () => {
  const at = bench();
  const planned = await plan(bounce, at);
  readyAfter(at, 10_000);
  const result = await applyPlan(planned, at.context);
  assert.equal(result.error, null);
  assert.equal(result.outcome, "applied");
  assert.equal(maxOf(at), 5);
  const patches = at.box.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  assert.deepEqual(patches, ['{"workers":{"max":0}}', '{"workers":{"max":5}}']);
});

test("a wait whose budget runs out still puts back, and is wait_timeout after a verified change", async () => {
  const at = bench();
  const result = await applyPlan(await plan(bounce, at), at.context);
  assert.equal(result.error?.code, "wait_timeout");
  assert.equal(maxOf(at), 5);
  assert.deepEqual(
    result.applied.map(({ status }) => status),
    ["applied", "applied"],
  );
});

test("an interrupt during the wait puts back", async () => {
  const stop = new AbortController();
  const at = bench({}, stop.signal);
  const planned = await plan(bounce, at);
  const onEvent = (event: { type: string }): void => {
    if (event.type === "verified") setTimeout(() => stop.abort(), 0);
  };
  const result = await applyPlan(planned, { ...at.context, onEvent });
  assert.equal(result.outcome, "interrupted");
  assert.equal(maxOf(at), 5);
});

test("a change that is not the planned one is refused before it is sent", async () => {
  const at = bench();
  let max = 7;
  const fickle = recipe(["patch:workers"], async (ops) => {
    await waitFor(ops, { ...ready(ops), until: () => true });
    await patch(ops, await readEndpoint(ops, ID), { workers: { max } });
  });
  const planned = await plan(fickle, at);
  max = 8;
  const result = await applyPlan(planned, at.context);
  assert.equal(result.error?.code, "plan_mismatch");
  assert.equal(result.outcome, "refused");
  assert.equal(
    at.box.requests.some(({ method }) => method === "PATCH"),
    false,
  );
});

test("one change more than planned is refused", async () => {
  const at = bench();
  let more = false;
  const greedy = recipe(["patch:workers"], async (ops) => {
    await waitFor(ops, { ...ready(ops), until: () => true });
    await patch(ops, await readEndpoint(ops, ID), { workers: { max: 7 } });
    if (more) await patch(ops, await readEndpoint(ops, ID), { workers: { max: 9 } });
  });
  const planned = await plan(greedy, at);
  more = true;
  const result = await applyPlan(planned, at.context);
  assert.equal(result.error?.code, "partially_applied");
  assert.equal(result.error?.details["stoppedBy"], "plan_mismatch");
  assert.equal(maxOf(at), 7);
});

test("a look at what is known later ends the plan there, also when the recipe swallowed it", async () => {
  const at = bench();
  const swallowing = recipe(["patch:workers"], async (ops) => {
    const there = await waitFor(ops, ready(ops));
    const max = await Promise.resolve()
      .then(() => there.timeout)
      .catch(() => 3);
    await patch(ops, await readEndpoint(ops, ID), { workers: { max } } as EndpointPatch as never);
  });
  const { complete, unknown, mutations } = await plan(swallowing, at);
  assert.equal(complete, false);
  assert.deepEqual(unknown?.remainingScopes, ["patch:workers"]);
  assert.match(unknown?.text ?? "", /waiting for the other endpoint to be ready/);
  assert.deepEqual(mutations, []);
});

test("what follows an unknown value is applied within the scopes that the plan named", async () => {
  const at = bench();
  const following = recipe(["patch:workers"], async (ops) => {
    const { timeout } = await waitFor(ops, ready(ops));
    await patch(ops, await readEndpoint(ops, ID), { workers: { max: timeout + 6 } });
  });
  const planned = await plan(following, at);
  readyAfter(at, 1000);
  const result = await applyPlan(planned, at.context);
  assert.equal(result.outcome, "applied");
  assert.equal(maxOf(at), 7);
});
