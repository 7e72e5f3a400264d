import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arg } from "../../lib/arg.ts";
import { defineRecipe, parseRecipeArgs, type Recipe } from "../../lib/recipe.ts";
import { assertDefaults, withDefaults } from "../../lib/team/with-defaults.ts";

const recipe = defineRecipe({
  name: "some",
  summary: "Something",
  args: {
    endpoint: arg.endpoint(),
    minCuda: arg.optional(arg.cudaVersion()),
    wait: arg.withDefault(arg.duration("how long"), "5m"),
    loud: arg.flag(),
  },
  mutates: [],
  run: async () => {},
});

function given(values: Readonly<Record<string, string | number>>): Recipe {
  return withDefaults(recipe, { shown: "c.json", defaults: { some: values } });
}

describe("withDefaults()", () => {
  test("gives a flag that is not given the team's value, and the help says so", () => {
    const { args } = given({ "min-cuda": "12.4", wait: 90 });
    assert.equal(args["minCuda"]?.description, "CUDA version, major.minor (default 12.4)");
    assert.equal(args["wait"]?.description, "how long (default 90)");
    const values = parseRecipeArgs({ ...recipe, args }, { endpoint: "ep" });
    assert.deepEqual([values["minCuda"], values["wait"]], ["12.4", 90_000]);
    assert.equal(
      parseRecipeArgs({ ...recipe, args }, { endpoint: "ep", minCuda: "12.8" })["minCuda"],
      "12.8",
    );
  });

  test("never names an endpoint and sets no switch", () => {
    assert.throws(
      () => given({ endpoint: "ep" }),
      /c\.json: defaults\.some\.endpoint: --endpoint takes no default/,
    );
    assert.throws(() => given({ loud: "true" }), /--loud takes no default/);
  });

  test("refuses flags and recipes that there are not, and names near ones", () => {
    assert.throws(() => given({ "min-cud": "12.4" }), /some has no flag --min-cud, did you mean min-cuda\?/);
    assert.throws(
      () => assertDefaults({ shown: "c.json", defaults: { pin: {}, "pin-gup": {} } }, ["pin", "pin-gpu"]),
      /c\.json: defaults\.pin-gup: there is no recipe "pin-gup", did you mean pin-gpu\?/,
    );
  });

  test("a value that the flag does not take is told like one that was typed", () => {
    const broken = given({ "min-cuda": "new" });
    assert.throws(
      () => parseRecipeArgs(broken, { endpoint: "ep" }),
      /Cannot use --min-cuda .*expected major\.minor/,
    );
  });
});
