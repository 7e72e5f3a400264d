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

test("an event moves no time by itself, and happens at its time when the clock is moved", () => {
  const clock = createSandboxClock({ startMs: 0 });
  const seen: number[] = [];
  for (const at of [300, 100, 200]) clock.at(at, () => seen.push(clock.now()));
  assert.deepEqual([seen, clock.now()], [[], 0]);
  clock.advance(250);
  assert.deepEqual([seen, clock.now()], [[100, 200], 250]);
});

test("what events plan happens in order, also within one move", () => {
  const clock = createSandboxClock({ startMs: 0 });
  const seen: string[] = [];
  clock.at(100, () => {
    seen.push("a");
    clock.at(150, () => seen.push(`planned ${clock.now()}`));
  });
  clock.at(200, () => seen.push("b"));
  clock.advance(1000);
  assert.deepEqual(seen, ["a", "planned 150", "b"]);
});

test("an event of the past happens at the next move, at its own time", () => {
  const clock = createSandboxClock({ startMs: 1000 });
  let at = 0;
  clock.at(400, () => {
    at = clock.now();
  });
  clock.advance(0);
  assert.deepEqual([at, clock.now()], [400, 1000]);
});

test("an event that was taken back does not happen", () => {
  const clock = createSandboxClock({ startMs: 0 });
  const seen: number[] = [];
  const takeBack = clock.at(100, () => seen.push(100));
  clock.at(100, () => seen.push(101));
  takeBack();
  clock.advance(100);
  assert.deepEqual(seen, [101]);
});

test("an event that ends a sleep early stops the time there", async () => {
  const clock = createSandboxClock({ startMs: 0 });
  const controller = new AbortController();
  clock.at(3000, () => controller.abort(new Error("done")));
  clock.at(4000, () => assert.fail("too far"));
  await assert.rejects(clock.sleep(90_000, controller.signal), /done/);
  assert.equal(clock.now(), 3000);
});

test("events happen by themselves on a clock with speed, at their time, however late the timer is", async () => {
  const clock = createSandboxClock({ startMs: 0, speed: 1000 });
  let at = 0;
  clock.at(5000, () => {
    at = clock.now();
  });
  await clock.sleep(6000);
  assert.equal(at, 5000);
});
