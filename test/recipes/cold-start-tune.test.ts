import assert from "node:assert/strict";
import { test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import { previewText } from "../../lib/plan/preview.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { RecipePlan } from "../../lib/run/recipe-plan.ts";
import coldStartTune from "../../recipes/cold-start-tune.ts";
import { type Bench, bench, loaded } from "../run/_sandbox.ts";

async function plan(at: Bench, given: Readonly<Record<string, unknown>>): Promise<RecipePlan> {
  return await planRecipe(loaded(coldStartTune), given, at.context);
}

function bodies({ mutations }: RecipePlan): readonly string[] {
  return mutations.map(({ request }) => JSON.stringify(request.body));
}

test("it sends only what was given", async () => {
  const tune = async (given: object) =>
    bodies(await plan(bench(), { endpoint: "image-generator", ...given }));
  assert.deepEqual(await tune({ workersMin: "1" }), ['{"workers":{"min":1}}']);
  assert.deepEqual(await tune({ idleTimeout: "2m" }), ['{"workers":{"idleTimeout":120}}']);
  assert.deepEqual(await tune({ flashboot: "priority" }), ['{"flashboot":"PRIORITY_FLASHBOOT"}']);
  assert.deepEqual(await tune({ flashboot: "off", idleTimeout: "30", workersMin: "2" }), [
    '{"workers":{"min":2,"idleTimeout":30},"flashboot":"OFF"}',
  ]);
});

test("a minimum states what it costs standing, per hour and per month, from the catalog's price", async () => {
  const made = await plan(bench(), { endpoint: "transcriber", workersMin: "1" });
  const text = previewText(made, { keyFingerprint: "0" });
  assert.match(text, /standing \$0 → \$1\.908\/h, \$1392\.84 a month \(min 0 → 1\)/);
  assert.match(
    text,
    /WARN workers\.min 1: 1 worker bills around the clock .* \$1\.908\/h, \$1392\.84\/month/,
  );
});

test("a minimum whose price is not in the catalog is unknown, not free", async () => {
  const at = bench();
  const endpoint = at.box.state.endpoints.get("4m7x2k9q");
  if (endpoint?.gpu) endpoint.gpu.pools = ["ADA_32_PRO"];
  const text = previewText(await plan(at, { endpoint: "4m7x2k9q", workersMin: "1" }), {
    keyFingerprint: "0",
  });
  assert.match(text, /standing \$0 → unknown\/h, unknown a month/);
  assert.match(text, /unknown \$\/h and \$\/month \(a price is not in the catalog\)/);
});

test("an idle timeout on a queue endpoint that scales on request count is refused, and why", async () => {
  const at = bench();
  await assert.rejects(
    plan(at, { endpoint: "transcriber", idleTimeout: "30s", workersMin: "1" }),
    (error) => {
      assert.ok(isReadbackError(error, "usage_error"));
      assert.match(
        error.message,
        /queue endpoint that scales on REQUEST_COUNT.*has no idle timeout.*refuses/,
      );
      return true;
    },
  );
  assert.ok(at.sent().every((line) => line.startsWith("GET ")));
});

test("a load balancer on request count has an idle timeout", async () => {
  const at = bench();
  const result = await applyPlan(await plan(at, { endpoint: "chat-lb", idleTimeout: "90" }), at.context);
  assert.equal(result.outcome, "applied");
});

test("nothing given is refused before anything is read", async () => {
  const at = bench();
  await assert.rejects(plan(at, { endpoint: "transcriber" }), {
    code: "usage_error",
    message: "Nothing to do: give at least one of --flashboot, --idle-timeout, --workers-min",
  });
  assert.deepEqual(at.sent(), []);
});
