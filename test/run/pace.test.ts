import assert from "node:assert/strict";
import { test } from "node:test";
import { createCancelPace, createPace } from "../../lib/run/pace.ts";
import { testClock } from "../api/_clock.ts";

const signal = new AbortController().signal;

test("a pace lets so many pass at once, and holds the next one back until there is room", async () => {
  const clock = testClock();
  const pace = createPace(clock, { most: 2, windowMs: 1000 });
  for (let n = 0; n < 5; n += 1) {
    await pace.next(signal);
    clock.advance(100);
  }
  assert.deepEqual(clock.sleeps, [800, 800]);
});

test("250 cancels take at least 20 s, and never more than 100 fall into 10 s", async () => {
  const clock = testClock();
  const pace = createCancelPace(clock);
  const startMs = clock.now();
  const times: number[] = [];
  for (let n = 0; n < 250; n += 1) {
    await pace.next(signal);
    times.push(clock.now());
    clock.advance(5);
  }
  assert.ok(clock.now() - startMs >= 20_000);
  for (const at of times) assert.ok(times.filter((one) => one >= at && one < at + 10_000).length <= 100);
});

test("an interrupt ends the wait of a pace", async () => {
  const clock = testClock();
  const pace = createPace(clock, { most: 1, windowMs: 1000 });
  await pace.next(signal);
  await assert.rejects(pace.next(AbortSignal.abort(new Error("stop"))), /stop/);
});
