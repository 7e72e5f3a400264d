import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { recipeFolder } from "../load/_recipe-folder.ts";
import { call, errorOf } from "./_spawn.ts";

test("readback init writes a folder whose recipe runs from there by name, and refuses to write it twice", async () => {
  const folder = recipeFolder({});
  try {
    const called = await call(["init", "ops"], { cwd: folder.path });
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /^wrote ops.recipes.set-max\.ts$/m);
    const cwd = join(folder.path, "ops");
    const dryRun = await call(["run", "set-max", "image-generator", "--max", "3", "--sandbox", "--dry-run"], {
      cwd,
    });
    assert.equal(dryRun.status, 0, dryRun.stderr);
    assert.match(dryRun.stdout, /workers\.max {2}5 → 3/);
    const again = await call(["init"], { cwd });
    assert.equal(again.status, 2);
    assert.match(String(errorOf(again)["error"]), /is there already: nothing is written$/);
    assert.equal(existsSync(join(cwd, "ops")), false);
  } finally {
    folder.remove();
  }
});
