import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ReadbackError } from "../../lib/errors.ts";
import { callWithin } from "../../lib/wait/deadline.ts";
import { durationText } from "../../lib/wait/duration-text.ts";
import { type WaitForParts, waitFor } from "../../lib/wait/wait-for.ts";
import { testClock } from "../api/_clock.ts";

const passing = () => new ReadbackError("server_error", "busy", { retryable: true });

describe("waitFor()", () => {
  test("reads until the predicate holds, and gives the value that satisfied it", async () => {
    const { made, clock } = parts([1, 2, 3, 4]);
    const waited = await waitFor({ ...made, until: (value) => value === 3 });
    assert.deepEqual(waited, { ended: "satisfied", value: 3, lastFailure: null, waitedMs: 1_250 });
    assert.deepEqual(clock.sleeps, [500, 750]);
  });

  test("takes what is known first, and does not read when that satisfies", async () => {
    const { made, reads } = parts([7]);
    const known = await waitFor({ ...made, known: 7, until: (value) => value === 7 });
    assert.deepEqual([known.ended, known.value, reads()], ["satisfied", 7, 0]);
    const unknown = parts([7]);
    await waitFor({ ...unknown.made, known: 6, until: (value) => value === 7 });
    assert.deepEqual(unknown.clock.sleeps, [500]);
  });

  test("has a last look when the budget ends in a pause, and gives the last value", async () => {
    const { made, clock } = parts([1]);
    const waited = await waitFor({ ...made, budgetMs: 2_000 });
    assert.deepEqual([waited.ended, waited.value, waited.waitedMs], ["budget", 1, 2_000]);
    assert.deepEqual(clock.sleeps, [500, 750, 750]);
  });

  test("counts a read that fails for the moment as one failed read", async () => {
    const { made } = parts([passing(), passing(), 5]);
    const events: unknown[] = [];
    const waited = await waitFor({
      ...made,
      until: (value) => value === 5,
      onEvent: (event) => events.push(event.kind),
    });
    assert.deepEqual([waited.ended, events], ["satisfied", ["failed_read", "failed_read", "recovered"]]);
    const spent = await waitFor({ ...parts([1, passing()]).made, budgetMs: 4_000 });
    assert.deepEqual([spent.ended, spent.value, spent.lastFailure?.code], ["budget", 1, "server_error"]);
  });

  test("ends with an error that will not pass, and with one that is not ours", async () => {
    for (const error of [new ReadbackError("not_found", "gone"), new TypeError("a mistake in a recipe")]) {
      await assert.rejects(waitFor(parts([1, error]).made), error);
    }
  });

  test("bounds a read that hangs and does not listen: one failed read", async () => {
    const given: number[] = [];
    const { made } = parts([]);
    const startedMs = performance.now();
    const waited = await waitFor<number>({
      ...made,
      callTimeoutMs: 30,
      until: () => true,
      read: ({ timeoutMs }) => {
        given.push(timeoutMs);
        return given.length === 1 ? new Promise<never>(() => {}) : Promise.resolve(1);
      },
    });
    assert.deepEqual([waited.ended, given], ["satisfied", [30, 30]]);
    assert.ok(performance.now() - startedMs < 1_500);
  });

  test("ends with the abort, in a pause and in a read that does not listen", async () => {
    for (const read of [() => new Promise<never>(() => {}), () => Promise.resolve(1)]) {
      const stop = new AbortController();
      const reason = new ReadbackError("interrupted", "Interrupted by SIGINT");
      const { made } = parts([]);
      const wait = waitFor<number>({
        ...made,
        signal: stop.signal,
        read: () => {
          queueMicrotask(() => stop.abort(reason));
          return read();
        },
      });
      await assert.rejects(wait, reason);
    }
  });

  test("tells a read that its wait was aborted", async () => {
    const stop = new AbortController();
    let told = false;
    const wait = waitFor<number>({
      ...parts([]).made,
      signal: stop.signal,
      read: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            told = true;
          });
          queueMicrotask(() => stop.abort(new Error("enough")));
        }),
    });
    await assert.rejects(wait, /enough/);
    assert.ok(told);
  });

  test("keeps its reads apart even when it may go on at once", async () => {
    const { made, reads } = parts([1]);
    await waitFor({ ...made, goOnAtOnce: () => true, budgetMs: 10_000 });
    assert.ok(reads() <= 25, `${reads()}`);
  });

  test("takes intervals of one's own", async () => {
    const { made, clock } = parts([1]);
    await waitFor({ ...made, intervals: { firstMs: 10_000, factor: 1, maxMs: 10_000 }, budgetMs: 25_000 });
    assert.deepEqual(clock.sleeps, [10_000, 10_000, 5_000]);
  });
});

describe("callWithin()", () => {
  test("is the call's own deadline, cut to the budget, and never under 1 s", () => {
    assert.deepEqual(
      [
        callWithin(30_000, 300_000),
        callWithin(30_000, 2_500.5),
        callWithin(30_000, 100),
        callWithin(30_000, -5),
      ],
      [30_000, 2_500, 1_000, 1_000],
    );
  });

  test("does not lengthen a shorter deadline", () => {
    assert.equal(callWithin(200, 100), 200);
  });
});

test("durationText() gives no 0s for what is more", () => {
  assert.deepEqual(
    [0.2, 100, 999.6, 1_000, 2_500, 59_990, 60_000, 90_000, 300_000, 3_600_000, 5_430_000].map(durationText),
    ["1ms", "100ms", "1s", "1s", "2.5s", "1m", "1m", "1m30s", "5m", "1h", "1h30m30s"],
  );
});

function parts(answers: readonly (number | Error)[]) {
  const clock = testClock();
  let reads = 0;
  const made: WaitForParts<number> = {
    clock,
    budgetMs: 60_000,
    callTimeoutMs: 30_000,
    signal: new AbortController().signal,
    until: () => false,
    read: async () => {
      const answer = answers[Math.min(reads, answers.length - 1)];
      reads += 1;
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { made, clock, reads: () => reads };
}
