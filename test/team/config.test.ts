import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import { parseConfig } from "../../lib/team/config.ts";

const REFUSED: readonly (readonly [unknown, string])[] = [
  [{ recipe: ["x"] }, "c.json: recipe is no field, did you mean recipes?"],
  [{ yes: true }, "c.json: yes is no field; there are recipes, allowHosts, historyFolder, defaults"],
  [{ recipes: "recipes" }, 'c.json: recipes is "recipes": '],
  [{ recipes: ["a", 1] }, "c.json: recipes.1 is 1: expected a folder"],
  [{ recipes: [" "] }, 'c.json: recipes.0 is " ": expected a folder, got nothing'],
  [
    { allowHosts: ["https://x.example"] },
    'c.json: allowHosts.0 is "https://x.example": expected a host such as',
  ],
  [{ historyFolder: true }, "c.json: historyFolder is true: expected a folder"],
  [{ defaults: { "pin-gpu": "12.4" } }, 'c.json: defaults.pin-gpu is "12.4": expected flags'],
  [
    { defaults: { "pin-gpu": { yes: true } } },
    "c.json: defaults.pin-gpu.yes is true: expected a text or a number",
  ],
  [[], "c.json: expected an object"],
  [null, "c.json: expected an object"],
];

describe("parseConfig()", () => {
  for (const [value, message] of REFUSED) {
    test(`refuses ${JSON.stringify(value)}, with file and field`, () => {
      assert.throws(
        () => parseConfig(value, "c.json"),
        (error) => {
          assert.ok(isReadbackError(error, "usage_error"), String(error));
          assert.ok(error.message.startsWith(message), error.message);
          return true;
        },
      );
    });
  }

  test("takes every field, and none", () => {
    const all = {
      recipes: ["recipes", "../shared"],
      allowHosts: ["runpod.example", "runpod.example:8443"],
      historyFolder: "runs",
      defaults: { "pin-gpu": { "min-cuda": "12.4" }, "set-max": { max: 3 } },
    };
    assert.deepEqual(parseConfig(all, "c.json"), all);
    assert.deepEqual(parseConfig({}, "c.json"), {});
  });
});
