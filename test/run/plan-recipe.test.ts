import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointPatch } from "../../lib/api/endpoint.ts";
import { arg } from "../../lib/arg.ts";
import { type ErrorCode, exitStatus, isReadbackError } from "../../lib/errors.ts";
import type { Ops } from "../../lib/ops.ts";
import { planDocument } from "../../lib/plan/document.ts";
import { defineRecipe, type Recipe } from "../../lib/recipe.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import { isPredicted } from "../../lib/run/predicted.ts";
import type { Scope } from "../../lib/scopes.ts";
import { patch } from "../../lib/steps/patch.ts";
import { readEndpoint } from "../../lib/steps/read-endpoint.ts";
import { restoring } from "../../lib/steps/restoring.ts";
import { bench, loaded, pin, planPin } from "./_sandbox.ts";

const args = { endpoint: arg.endpoint() };

/** A recipe with the types cast away, as Bun, Deno and Node run it. */
function cast(
  mutates: readonly Scope[],
  run: (ops: Ops<Scope>, endpoint: string) => Promise<unknown>,
): Recipe {
  return defineRecipe({
    name: "cast",
    summary: "Types cast away",
    args,
    mutates,
    run: (ops, { endpoint }) => run(ops as unknown as Ops<Scope>, endpoint),
  });
}

async function failure(recipe: Recipe, at = bench()): Promise<{ code: ErrorCode; message: string }> {
  const error: unknown = await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, at.context).then(
    () => null,
    (thrown) => thrown,
  );
  assert.ok(isReadbackError(error), String(error));
  return error;
}

test("a pin plans one PATCH that excludes every other type of the pool", async () => {
  const plan = await planPin(bench());
  const [mutation] = plan.mutations;
  assert.ok(mutation?.kind === "patch");
  assert.deepEqual(mutation.request.body.gpu?.pools, ["ADA_48_PRO"]);
  assert.deepEqual([...(mutation.request.body.gpu?.excludedTypes ?? [])].sort(), [
    "NVIDIA L40",
    "NVIDIA RTX 6000 Ada Generation",
  ]);
  assert.deepEqual(mutation?.diff[0], { path: "gpu.pools", before: ["ADA_24"], after: ["ADA_48_PRO"] });
});

test("a plan makes GETs only, and its document is JSON with the fields of the contract", async () => {
  const at = bench();
  const document = planDocument(await planPin(at));
  assert.equal(
    at.sent().every((line) => line.startsWith("GET ")),
    true,
  );
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(document))), [
    ...["schema", "recipe", "args", "declares", "host", "createdAt", "endpoints", "mutations", "waits"],
    ...["complete", "unknown", "unusedScopes", "reads", "totals"],
  ]);
});

test("an undeclared change is refused, and nothing is read or sent after it although the recipe caught the error", async () => {
  const at = bench();
  const recipe = cast(["patch:gpu"], async (ops, endpoint) => {
    const before = await readEndpoint(ops, endpoint);
    await patch(ops, before, { workers: { max: 0 } }).catch(() => {});
    await readEndpoint(ops, endpoint).catch(() => {});
    await patch(ops, before, { gpu: { minCudaVersion: "12.4" } }).catch(() => {});
    return "done";
  });
  const { code, message } = await failure(recipe, at);
  assert.equal(code, "undeclared_mutation");
  assert.equal(exitStatus(code), 3);
  assert.match(message, /patch:workers, but declares patch:gpu/);
  assert.deepEqual(at.sent(), ["GET /v2/serverless/4m7x2k9q"]);
});

test("a read-only recipe changes nothing, whatever its types say", async () => {
  const recipe = cast([], async (ops, endpoint) => {
    await patch(ops, await readEndpoint(ops, endpoint), { flashboot: "OFF" });
  });
  assert.equal((await failure(recipe)).code, "undeclared_mutation");
});

test("an endpoint that nobody named is not changed", async () => {
  const recipe = cast(["patch:workers"], async (ops) => {
    await patch(ops, await readEndpoint(ops, "3p8n6v2d"), { workers: { max: 1 } });
  });
  const { code } = await failure(recipe);
  assert.equal(code, "endpoint_not_named");
  assert.equal(exitStatus(code), 3);
});

test("a nested typo, a wrong type or a bound is refused in the dry run, with the field", async () => {
  const bodies: readonly [EndpointPatch, RegExp][] = [
    [{ gpu: { pool: ["ADA_24"] } } as EndpointPatch, /gpu.pool is no field of a PATCH body/],
    [{ workers: { max: "3" } } as unknown as EndpointPatch, /workers.max is "3": expected number/],
    [{ workers: { idleTimeout: 0 } }, /expected 1 to 3600 seconds/],
    [{ workers: { max: undefined } } as unknown as EndpointPatch, /workers.max is undefined/],
  ];
  for (const [body, message] of bodies) {
    const recipe = cast(["patch:gpu", "patch:workers"], async (ops, endpoint) => {
      await patch(ops, await readEndpoint(ops, endpoint), body as never);
    });
    const error = await failure(recipe);
    assert.equal(error.code, "usage_error");
    assert.match(error.message, message);
  }
});

test("a change that overlaps another step is refused", async () => {
  const recipe = cast(["patch:workers"], async (ops, endpoint) => {
    const before = await readEndpoint(ops, endpoint);
    await Promise.all([
      patch(ops, before, { workers: { max: 1 } }),
      patch(ops, before, { workers: { max: 2 } }),
    ]);
  });
  const { code, message } = await failure(recipe);
  assert.equal(code, "recipe_error");
  assert.match(message, /patch overlaps patch/);
});

test("a step that is under way when run returns is refused", async () => {
  const recipe = cast([], async (ops, endpoint) => {
    readEndpoint(ops, endpoint).catch(() => {});
  });
  const { code, message } = await failure(recipe);
  assert.equal(code, "recipe_error");
  assert.match(message, /readEndpoint was still under way/);
});

test("reads side by side are fine", async () => {
  const recipe = cast([], async (ops, endpoint) =>
    (await Promise.all([readEndpoint(ops, endpoint), readEndpoint(ops, "3p8n6v2d")])).map(({ name }) => name),
  );
  const plan = await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, bench().context);
  assert.deepEqual(plan.value, ["image-generator", "transcriber"]);
});

test("a step called after run has returned is refused", async () => {
  let late: () => Promise<unknown> = async () => {};
  const recipe = cast([], async (ops, endpoint) => {
    late = () => readEndpoint(ops, endpoint);
  });
  await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, bench().context);
  await assert.rejects(late(), /was called after run\(\) had returned/);
});

test("after a planned change, a read shows what will be, marked as predicted, and the change is not sent", async () => {
  const seen: boolean[] = [];
  const recipe = cast(["patch:workers"], async (ops, endpoint) => {
    const before = await readEndpoint(ops, endpoint);
    await patch(ops, before, { workers: { max: 9 } });
    const after = await readEndpoint(ops, endpoint);
    seen.push(isPredicted(before), isPredicted(after));
    return after.workers.max;
  });
  const at = bench();
  assert.equal((await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, at.context)).value, 9);
  assert.deepEqual(seen, [false, true]);
});

test("what was read cannot be changed by the recipe", async () => {
  const recipe = cast([], async (ops, endpoint) => {
    const before = await readEndpoint(ops, endpoint);
    (before.workers as { max: number }).max = 0;
  });
  assert.equal((await failure(recipe)).code, "recipe_error");
});

test("restoring is a change of its own, which names what it puts back", async () => {
  const recipe = cast(["patch:workers"], async (ops, endpoint) => {
    const before = await readEndpoint(ops, endpoint);
    const stop = await patch(ops, before, { workers: { max: 0 } });
    await restoring(ops, stop, { workers: { max: before.workers.max } });
  });
  const { mutations } = await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, bench().context);
  assert.deepEqual(
    mutations.map(({ restores }) => restores),
    [null, 1],
  );
  assert.deepEqual(mutations[1]?.diff, [{ path: "workers.max", before: 0, after: 5 }]);
});

test("an error of the recipe's own is recipe_error, with its words", async () => {
  const recipe = cast([], async () => {
    throw new TypeError("x is not a function");
  });
  const { code, message } = await failure(recipe);
  assert.equal(code, "recipe_error");
  assert.match(message, /x is not a function/);
});

test("a GPU that does not exist and a CPU endpoint are usage errors, after reads, with nothing sent", async () => {
  for (const given of [
    { ...pin, gpu: "RTX 9999" },
    { ...pin, endpoint: "cpu-inference" },
  ]) {
    const at = bench();
    await assert.rejects(planPin(at, given), (error) => isReadbackError(error, "usage_error"));
    assert.equal(
      at.sent().every((line) => line.startsWith("GET ")),
      true,
    );
  }
});

test("raising the maximum reads the sum over all endpoints", async () => {
  const recipe = cast(["patch:workers"], async (ops, endpoint) => {
    await patch(ops, await readEndpoint(ops, endpoint), { workers: { max: 9 } });
  });
  const { mutations } = await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, bench().context);
  assert.match(mutations[0]?.effects.find(({ code }) => code === "account_quota")?.text ?? "", /\d+ → \d+/);
});
