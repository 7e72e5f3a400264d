import assert from "node:assert/strict";
import { test } from "node:test";
import { arg } from "../lib/arg.ts";
import { isReadbackError } from "../lib/errors.ts";
import { defineRecipe, flagName, isPositional, isRecipe, parseRecipeArgs } from "../lib/recipe.ts";

const run = async (): Promise<void> => {};

function define(changes: Partial<Parameters<typeof defineRecipe>[0]>): unknown {
  return defineRecipe({ name: "a-recipe", summary: "s", args: {}, mutates: [], run, ...changes });
}

test("defineRecipe() refuses a name that is not kebab-case, an unknown scope, and the name of a global flag", () => {
  assert.throws(() => define({ name: "A recipe" }), /a name is kebab-case/);
  assert.throws(
    () => define({ mutates: ["patch:worker" as "patch:workers"] }),
    /"patch:worker", which is no scope/,
  );
  assert.throws(() => define({ args: { dryRun: arg.flag() } }), /--dry-run is a flag of every command/);
  assert.throws(() => define({ args: { "min-cuda": arg.flag() } }), /is not camelCase/);
});

test("isRecipe() knows what defineRecipe gave, and nothing else", () => {
  assert.equal(isRecipe(define({})), true);
  assert.equal(isRecipe({ name: "a-recipe", run }), false);
  assert.equal(isRecipe(null), false);
});

test("required endpoints and jobs are positionals, everything else is a flag in kebab-case", () => {
  assert.equal(isPositional(arg.endpoint()), true);
  assert.equal(isPositional(arg.job()), true);
  assert.equal(isPositional(arg.optional(arg.endpoint())), false);
  assert.equal(isPositional(arg.gpuType()), false);
  assert.equal(flagName("minCuda"), "min-cuda");
});

const all = defineRecipe({
  name: "all",
  summary: "Every kind of argument",
  args: {
    endpoints: arg.endpoints(),
    max: arg.optional(arg.integer({ min: 1, max: 20 })),
    delay: arg.optional(arg.number()),
    wait: arg.withDefault(arg.duration(), "5m"),
    mode: arg.optional(arg.choice(["off", "on"])),
    cuda: arg.optional(arg.list(arg.cudaVersion())),
    input: arg.optional(arg.json()),
    force: arg.flag(),
    note: arg.optional(arg.string()),
  },
  mutates: [],
  run,
});

function parse(given: Record<string, unknown>): Record<string, unknown> {
  return parseRecipeArgs(all, { endpoints: ["ep1"], ...given });
}

test("values become what the argument says", () => {
  const given = {
    max: "20",
    delay: "0.5",
    wait: "90s",
    mode: "on",
    cuda: "12.8, 12.6",
    input: '{"a":[1]}',
    force: true,
  };
  assert.deepEqual(parse(given), {
    endpoints: ["ep1"],
    max: 20,
    delay: 0.5,
    wait: 90_000,
    mode: "on",
    cuda: ["12.8", "12.6"],
    input: { jsonText: '{"a":[1]}' },
    force: true,
    note: undefined,
  });
});

test("defaults are written as a person would write them; a bare duration is seconds", () => {
  assert.equal(parse({})["wait"], 300_000);
  assert.equal(parse({})["force"], false);
  assert.equal(parse({ wait: "90" })["wait"], 90_000);
  assert.equal(parse({ wait: "1.5h" })["wait"], 5_400_000);
});

test("only a plain whole number is one", () => {
  for (const max of ["abc", "-1", "1e3", "0x10", "007", "3.5", " 3", "9007199254740993", "", "0", "21"])
    assert.throws(
      () => parse({ max }),
      (error) => isReadbackError(error, "usage_error"),
      max,
    );
});

test("a bad value is named with its flag, the value, and what was expected", () => {
  assert.throws(
    () => parse({ max: "many" }),
    /Cannot use --max "many": expected a whole number from 1 to 20/,
  );
  assert.throws(() => parse({ mode: "maybe" }), /expected one of off, on/);
  assert.throws(() => parse({ cuda: "12.8,twelve" }), /expected major.minor such as 12.4/);
  assert.throws(() => parse({ wait: "soon" }), /expected a duration such as 90s, 5m or 2h/);
  assert.throws(() => parse({ input: "{a:1}" }), /expected JSON/);
  assert.throws(() => parse({ note: " " }), /got nothing/);
});

test("a missing required argument is named", () => {
  assert.throws(() => parseRecipeArgs(all, {}), /Missing <endpoints>/);
});

test("a duration keeps its bounds and its step, and the message names them", () => {
  const bounds = { minMs: 1000, maxMs: 3_600_000, stepMs: 1000 };
  const recipe = defineRecipe({
    name: "a-recipe",
    summary: "s",
    args: { idle: arg.duration("idle", bounds), long: arg.optional(arg.duration("long", { minMs: 5000 })) },
    mutates: [],
    run,
  });
  for (const idle of ["1", "1h", "3600s", "2000ms"]) parseRecipeArgs(recipe, { idle });
  for (const idle of ["0", "3601", "1500ms", "0.5"])
    assert.throws(() => parseRecipeArgs(recipe, { idle }), /from 1 s to 3600 s, in whole seconds$/, idle);
  assert.throws(() => parseRecipeArgs(recipe, { idle: "1", long: "4.9" }), /of at least 5 s$/);
});

test("FlashBoot is written as a person says it, and read as the API words it", () => {
  const recipe = defineRecipe({
    name: "a-recipe",
    summary: "s",
    args: { boot: arg.flashBoot() },
    mutates: [],
    run,
  });
  const read = (boot: string): unknown => parseRecipeArgs(recipe, { boot })["boot"];
  assert.deepEqual(["off", "on", "priority"].map(read), ["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]);
  for (const boot of ["true", "OFF", "constructor"])
    assert.throws(() => read(boot), /expected one of off, on, priority/);
});

test("names of arguments, other names included, are checked and each is its own", () => {
  const min = arg.alias(arg.integer(), "minWorkers");
  assert.throws(
    () => define({ args: { min, minWorkers: arg.flag() } }),
    /two arguments go by the name "minWorkers"/,
  );
  assert.throws(
    () => define({ args: { min: arg.alias(min, "dryRun") } }),
    /--dry-run is a flag of every command/,
  );
});

test("where one of several is needed, none is refused with their flags", () => {
  const recipe = defineRecipe({
    name: "a-recipe",
    summary: "s",
    args: { minCuda: arg.optional(arg.cudaVersion()), name: arg.optional(arg.string()) },
    needsOneOf: ["minCuda", "name"],
    mutates: [],
    run,
  });
  assert.throws(() => parseRecipeArgs(recipe, {}), /give at least one of --min-cuda, --name$/);
  assert.equal(parseRecipeArgs(recipe, { name: "x" })["name"], "x");
});
