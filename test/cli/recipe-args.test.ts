import assert from "node:assert/strict";
import { test } from "node:test";
import { givenArgs, recipeArgs } from "../../bin/_recipe-args.ts";
import { arg } from "../../lib/arg.ts";
import { defineRecipe } from "../../lib/recipe.ts";

const recipe = defineRecipe({
  name: "a-recipe",
  summary: "s",
  args: { endpoint: arg.endpoint(), workersMin: arg.alias(arg.integer(), "minWorkers") },
  mutates: [],
  run: async () => {},
});

test("an argument with two names has two flags, neither of them required by itself", () => {
  const { endpoint, ...flags } = recipeArgs(recipe);
  assert.equal(endpoint?.type, "positional");
  assert.deepEqual(Object.keys(flags), ["workers-min", "min-workers"]);
  assert.equal(flags["min-workers"]?.description, "the same as --workers-min");
  assert.ok(Object.values(flags).every((flag) => !("required" in flag)));
});

test("either name gives the argument; both are refused", () => {
  assert.deepEqual(givenArgs(recipe, { _: ["ep"], endpoint: "ep", "min-workers": "1" }), {
    endpoint: "ep",
    workersMin: "1",
  });
  assert.throws(() => givenArgs(recipe, { _: [], "workers-min": "1", "min-workers": "1" }), {
    code: "usage_error",
    message: "--workers-min and --min-workers are the same argument; give one of them",
  });
});
