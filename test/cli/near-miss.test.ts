import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findCommand } from "../../bin/_find-command.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { call, errorOf } from "./_spawn.ts";

/** The tree of commands without what they do. */
const MAIN = {
  subCommands: {
    recipes: { run: () => {} },
    run: { run: () => {} },
    history: { run: () => {} },
    serverless: { subCommands: { list: { run: () => {} }, get: { run: () => {} } } },
  },
};

const MEANT: readonly (readonly [readonly string[], string])[] = [
  [["pin-gpu", "ep", "--gpu", "NVIDIA L40S"], 'readback run pin-gpu ep --gpu "NVIDIA L40S"'],
  [["pin-gup", "ep"], "readback run pin-gpu ep"],
  [["serverless", "run", "pin-gpu", "ep"], "readback run pin-gpu ep"],
  [["serverless", "pin-gpu", "ep"], "readback run pin-gpu ep"],
  [["get", "ep"], "readback serverless get ep"],
  [["recipe"], "readback recipes"],
  [["serverless", "gte", "ep"], "readback serverless get ep"],
  [["help", "run"], "readback run --help"],
];

describe("a word that is no command", () => {
  for (const [argv, meant] of MEANT) {
    test(`readback ${argv.join(" ")} names ${meant}`, async () => {
      await assert.rejects(findCommand(MAIN, argv), (error) => {
        assert.ok(isReadbackError(error, "usage_error"));
        assert.ok(error.message.endsWith(`did you mean: ${meant}`), error.message);
        assert.equal(error.followUp, meant);
        return true;
      });
    });
  }

  test("far from all, it gets the list of commands", async () => {
    await assert.rejects(findCommand(MAIN, ["frobnicate"]), /there are recipes, run, history, serverless$/);
  });

  test("is told on the command line with exit 2", async () => {
    const called = await call(["pin-gpu", "ep1", "--gpu", "L40S"]);
    assert.equal(called.status, 2);
    assert.equal(errorOf(called)["followUp"], "readback run pin-gpu ep1 --gpu L40S");
  });

  test("an unknown recipe names near ones", async () => {
    const called = await call(["run", "pin-gpus", "ep1"]);
    assert.equal(called.status, 2);
    assert.match(String(errorOf(called)["error"]), /no recipe "pin-gpus": did you mean pin-gpu\?/);
  });
});
