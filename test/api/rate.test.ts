import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRateBudget, parseRateLimit, retryAfterSeconds, waitAsked } from "../../lib/api/rate.ts";
import { testClock } from "./_clock.ts";

describe("parseRateLimit()", () => {
  test("reads every window", () => {
    assert.deepEqual(parseRateLimit('"minute";r=176;t=1, "hour";t=2701;r=7193'), [
      { name: "minute", remaining: 176, resetSeconds: 1 },
      { name: "hour", remaining: 7193, resetSeconds: 2701 },
    ]);
  });

  test("leaves out what it cannot read", () => {
    for (const header of [
      null,
      "",
      "limit=10, remaining=0",
      '"minute"',
      '"minute";r=1',
      '"minute";r=-1;t=x',
    ]) {
      assert.deepEqual(parseRateLimit(header), []);
    }
  });
});

describe("retryAfterSeconds()", () => {
  test("reads seconds and dates", () => {
    const now = Date.UTC(2026, 10, 30, 12);
    const after = (value: string) => retryAfterSeconds(new Headers({ "retry-after": value }), now);
    assert.deepEqual(
      ["12", "0", "Mon, 30 Nov 2026 12:00:30 GMT", "Mon, 30 Nov 2020 12:00:30 GMT"].map(after),
      [12, 0, 30, 0],
    );
    assert.deepEqual(["", "soon", "-3", "1e9"].map(after), [null, null, null, null]);
  });
});

describe("waitAsked()", () => {
  test("takes the longest of Retry-After and the windows that are out", () => {
    const asked = (ratelimit: string, after = "12") =>
      waitAsked(new Headers({ ratelimit, ...(after === "" ? {} : { "retry-after": after }) }), 0);
    assert.deepEqual(asked('"minute";r=0;t=12, "hour";r=0;t=1812'), { ms: 1_812_000, window: "hour" });
    assert.deepEqual(asked('"minute";r=0;t=5'), { ms: 12_000, window: "minute" });
    assert.deepEqual(asked('"minute";r=4;t=50'), { ms: 12_000, window: null });
    assert.deepEqual(asked('"minute";r=4;t=50', ""), null);
  });
});

describe("a rate budget", () => {
  test("asks for no wait before anything was seen, nor once the window has passed", () => {
    const clock = testClock();
    const budget = createRateBudget(clock);
    assert.equal(budget.wait(), null);
    budget.spend()(new Headers({ ratelimit: '"minute";r=0;t=12' }));
    assert.deepEqual(budget.wait(), { ms: 12_000, window: "minute" });
    clock.advance(12_000);
    assert.equal(budget.wait(), null);
  });

  test("counts requests in flight, also those a fresh header cannot know", () => {
    const budget = createRateBudget(testClock());
    const first = budget.spend();
    const second = budget.spend();
    first(new Headers({ ratelimit: '"minute";r=1;t=12' }));
    assert.notEqual(budget.wait(), null);
    second(new Headers({ ratelimit: '"minute";r=1;t=12' }));
    assert.equal(budget.wait(), null);
    budget.spend()(null);
    assert.notEqual(budget.wait(), null);
  });

  test("keeps what it knows when a reply says nothing, as a 401 does", () => {
    const budget = createRateBudget(testClock());
    budget.spend()(new Headers({ ratelimit: '"minute";r=0;t=12' }));
    budget.spend()(new Headers());
    assert.equal(budget.wait()?.window, "minute");
  });
});
