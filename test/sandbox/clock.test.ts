import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandboxClock } from "../../lib/sandbox/clock.ts";

test("a sleep moves a clock without speed at once", async () => {
  const clock = createSandboxClock({ startMs: 1000 });
  await clock.sleep(3_600_000);
  assert.equal(clock.now(), 3_601_000);
});

test("parallel sleeps end in order and do not add up", async () => {
  const clock = createSandboxClock({ startMs: 0 });
  const ends: number[] = [];
  await Promise.all([300, 100, 200].map((ms) => clock.sleep(ms).then(() => ends.push(clock.now()))));
  assert.deepEqual(ends, [100, 200, 300]);
});

test("advance wakes what slept until then", async () => {
  const clock = createSandboxClock({ startMs: 0, speed: 0.001 });
  const asleep = clock.sleep(1000);
  clock.advance(1000);
  await asleep;
  assert.ok(clock.now() >= 1000);
});

test("an aborted sleep rejects with the reason and moves nothing", async () => {
  const clock = createSandboxClock({ startMs: 0 });
  const controller = new AbortController();
  const asleep = clock.sleep(1000, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(asleep, /enough/);
  await assert.rejects(clock.sleep(1, controller.signal), /enough/);
  assert.equal(clock.now(), 0);
});

test("a clock with speed runs that many times faster than the wall", async () => {
  const clock = createSandboxClock({ startMs: 0, speed: 10_000 });
  await clock.sleep(20_000);
  assert.ok(clock.now() >= 19_000, String(clock.now()));
});

test("a speed that is no speed is refused", () => {
  for (const speed of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => createSandboxClock({ speed }), RangeError);
  }
});
