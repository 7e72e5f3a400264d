import assert from "node:assert/strict";
import { test } from "node:test";
import { arg } from "../../lib/arg.ts";
import { defineRecipe } from "../../lib/recipe.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { RecipePlan } from "../../lib/run/recipe-plan.ts";
import { patch } from "../../lib/steps/patch.ts";
import { readEndpoint } from "../../lib/steps/read-endpoint.ts";
import { restoring } from "../../lib/steps/restoring.ts";
import { type Bench, bench, loaded } from "./_sandbox.ts";

const ID = "4m7x2k9q";

/** Stops the workers, changes the image, and puts the maximum back. */
const swap = defineRecipe({
  name: "swap",
  summary: "Stop, change, put back",
  args: { endpoint: arg.endpoint() },
  mutates: ["patch:workers", "patch:image"],
  async run(ops, { endpoint }) {
    const before = await readEndpoint(ops, endpoint);
    const stop = await patch(ops, before, { workers: { max: 0 } });
    await patch(ops, before, { image: "acme/sdxl-worker:2.0.0" });
    await restoring(ops, stop, { workers: { max: before.workers.max } });
  },
});

async function planSwap(at: Bench): Promise<RecipePlan> {
  return await planRecipe(loaded(swap), { endpoint: ID }, at.context);
}

function maxOf(at: Bench): number | undefined {
  return at.box.state.endpoints.get(ID)?.workers.max;
}

test("an apply of several changes reads the endpoint before and after each", async () => {
  const at = bench();
  const plan = await planSwap(at);
  const before = at.box.requests.length;
  assert.equal((await applyPlan(plan, at.context)).outcome, "applied");
  const methods = at.box.requests.slice(before).map(({ method }) => method);
  assert.deepEqual(methods, ["GET", "PATCH", "GET", "GET", "PATCH", "GET", "GET", "PATCH", "GET"]);
  assert.equal(maxOf(at), 5);
});

test("after a failure the restore still runs, and the run is partial: exit 6", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "status", status: 400, after: 1, times: 1 });
  const result = await applyPlan(await planSwap(at), at.context);
  assert.deepEqual(
    result.applied.map(({ status }) => status),
    ["applied", "failed", "applied"],
  );
  assert.equal(result.outcome, "partial");
  assert.equal(result.error?.code, "partially_applied");
  assert.equal(maxOf(at), 5);
});

test("after an interrupt the restore still runs, and nothing else is started", async () => {
  const stop = new AbortController();
  const at = bench({}, stop.signal);
  const plan = await planSwap(at);
  const onEvent = (event: { type: string }): void => {
    if (event.type === "verified") stop.abort();
  };
  const result = await applyPlan(plan, { ...at.context, onEvent });
  assert.deepEqual(
    result.applied.map(({ status }) => status),
    ["applied", "skipped", "applied"],
  );
  assert.equal(result.outcome, "interrupted");
  assert.equal(maxOf(at), 5);
});

test("an interrupt before anything was sent restores nothing", async () => {
  const stop = new AbortController();
  const at = bench({}, stop.signal);
  const plan = await planSwap(at);
  stop.abort();
  const result = await applyPlan(plan, at.context);
  assert.equal(result.outcome, "interrupted");
  assert.equal(
    at.box.requests.some(({ method }) => method === "PATCH"),
    false,
  );
});

test("a restore is not sent over what somebody set meanwhile", async () => {
  const at = bench();
  const plan = await planSwap(at);
  const onEvent = (event: { type: string; n?: number }): void => {
    const endpoint = at.box.state.endpoints.get(ID);
    if (event.type === "verified" && event.n === 2 && endpoint) endpoint.workers.max = 2;
  };
  const result = await applyPlan(plan, { ...at.context, onEvent });
  assert.equal(result.applied[2]?.error?.code, "drift");
  assert.equal(maxOf(at), 2);
});

test("a change that was refused has nothing to restore", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "status", status: 403 });
  const result = await applyPlan(await planSwap(at), at.context);
  assert.deepEqual(
    result.applied.map(({ status }) => status),
    ["failed", "skipped", "skipped"],
  );
  assert.equal(result.error?.code, "forbidden");
});
