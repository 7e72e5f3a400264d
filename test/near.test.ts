import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, nearestAll } from "../lib/near.ts";

test("nearest() finds the candidate a slip away: a swap, a missing or a wrong letter, another case", () => {
  const flags = ["dry-run", "exit-code", "json"];
  for (const slip of ["dryrun", "dry-rnu", "dry-ru", "Dry-Run", "dry-rum"])
    assert.equal(nearest(slip, flags), "dry-run");
});

test("nearest() gives nothing where nothing is near", () => {
  assert.equal(nearest("pin-gpu", ["dry-run", "exit-code"]), undefined);
  assert.equal(nearest("x", []), undefined);
});

test("nearestAll() gives the nearest first, each once", () => {
  assert.deepEqual(nearestAll("runn", ["rum", "run", "run"]), ["run"]);
  assert.deepEqual(nearestAll("transcribers", ["transcribe", "transcriber"]), ["transcriber", "transcribe"]);
});
