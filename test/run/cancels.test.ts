import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arg, cancel, defineRecipe, ReadbackError } from "../../lib/mod.ts";
import { closingText } from "../../lib/plan/closing.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { Bench } from "./_sandbox.ts";
import { bench, loaded } from "./_sandbox.ts";

const ENDPOINT = "4m7x2k9q";

/** Cancels jobs in turn, the last declared first. */
function cancelAll(jobs: readonly string[]) {
  return defineRecipe({
    name: "cancel-all",
    summary: "Cancel jobs",
    args: { endpoint: arg.endpoint() },
    mutates: ["cancel"],
    async run(ops, { endpoint }) {
      for (const id of jobs) await cancel(ops, { endpoint, id });
    },
  });
}

async function submitted(at: Bench, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const url = `${at.context.target.invokeUrl}/${ENDPOINT}/run`;
    const headers = { authorization: `Bearer ${at.box.key}`, "content-type": "application/json" };
    const reply = await at.box.fetch(
      new Request(url, { method: "POST", headers, body: '{"input":{"prompt":"x"}}' }),
    );
    ids.push(((await reply.json()) as { id: string }).id);
  }
  return ids;
}

describe("several cancels of one run", () => {
  test("do not stop each other when one is not proved", async () => {
    const at = bench();
    const [a = "", b = "", c = ""] = await submitted(at, 3);
    const plan = await planRecipe(loaded(cancelAll([a, b, c])), { endpoint: ENDPOINT }, at.context);
    const body = { id: b, status: "CANCELLED" };
    const match = ({ path }: { path: string }): boolean => path.endsWith(b);
    at.box.faults.add({ route: "cancelJob", kind: "status", status: 200, body, match });
    const result = await applyPlan(plan, at.context);
    assert.deepEqual(
      result.applied.map(({ status }) => status),
      ["applied", "failed", "applied"],
    );
    assert.equal(result.outcome, "partial");
    assert.match(closingText(result), /^NOT APPLIED .*\n {2}job\.status {2}IN_QUEUE → IN_QUEUE$/m);
  });

  test("are stopped by what ends every change, such as a refused key", async () => {
    const at = bench();
    const jobs = await submitted(at, 2);
    const plan = await planRecipe(loaded(cancelAll(jobs)), { endpoint: ENDPOINT }, at.context);
    at.box.faults.add({ route: "cancelJob", kind: "status", status: 401, body: {} });
    const result = await applyPlan(plan, at.context);
    assert.deepEqual(
      result.applied.map(({ status }) => status),
      ["failed", "skipped"],
    );
    assert.ok(result.error instanceof ReadbackError);
    assert.equal(result.error.code, "unauthorized");
  });
});
