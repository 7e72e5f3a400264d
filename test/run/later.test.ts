import assert from "node:assert/strict";
import { test } from "node:test";
import { LaterError, later, laterInfo } from "../../lib/run/later.ts";

interface Job {
  readonly id: string;
}
const about = { step: "run", text: "the job's id" };

test("a later value passes through async functions untouched", async () => {
  const job = later<Job>(about);
  const passed = await (async () => await Promise.resolve(job))();
  assert.deepEqual(laterInfo(passed), about);
});

test("every look at a later value throws, and names step and value", () => {
  const job = later<Job>(about);
  const looks: readonly (() => unknown)[] = [
    () => job.id,
    () => `${job}`,
    () => JSON.stringify({ job }),
    () => Object.keys(job),
    () => ({ ...job }),
    () => "id" in job,
    () => job instanceof Map,
    () => Object.assign(job, { id: "x" }),
    () => Reflect.getPrototypeOf(job),
  ];
  for (const look of looks)
    assert.throws(look, (error) => error instanceof LaterError && error.later.step === "run", String(look));
});

test("a value is no stand-in", () => {
  for (const value of [null, undefined, 1, "x", {}, [], { id: "x" }]) assert.equal(laterInfo(value), null);
});
