import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLookClient } from "../../lib/api/client.ts";
import { readEndpoint } from "../../lib/api/control.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { type TestClock, testClock } from "./_clock.ts";
import { targetAt } from "./_target.ts";

/** A look within a budget, at a service that takes `latencyMs` for each answer. */
function looking(
  budgetMs: number,
  answer: (count: number, clock: TestClock) => Response,
): { look: (call?: { timeoutMs?: number }) => Promise<unknown>; clock: TestClock; times: number[] } {
  const clock = testClock();
  const sinceMs = clock.now();
  const times: number[] = [];
  const fetch = async (): Promise<Response> => {
    times.push(clock.now() - sinceMs);
    return answer(times.length, clock);
  };
  const budget = { leftMs: () => sinceMs + budgetMs - clock.now() };
  const client = createLookClient(targetAt("http://readback.sandbox"), {
    clock,
    fetch,
    budget,
    random: () => 1,
  });
  return { look: (call = {}) => readEndpoint(client, "ep1", call), clock, times };
}

const BUSY = (): Response => Response.json({}, { status: 503 });

describe("a call within a budget", () => {
  test("is tried again until the budget is spent, with pauses that grow to 5 s", async () => {
    const { look, times } = looking(30_000, BUSY);
    await assert.rejects(look(), (error) => {
      assert.ok(isReadbackError(error, "wait_timeout"));
      assert.ok(isReadbackError(error.cause, "server_error"));
      return error.retryable;
    });
    assert.deepEqual(times, [0, 500, 1500, 3500, 7500, 12_500, 17_500, 22_500, 27_500]);
  });

  test("succeeds as soon as the service does", async () => {
    const { look, times } = looking(30_000, (count) => (count < 7 ? BUSY() : Response.json({ id: "ep1" })));
    await look();
    assert.equal(times.length, 7);
  });

  test("is begun within the second that a wait can overrun by, and ends with it", async () => {
    const { look, clock, times } = looking(1000, () => Response.json({ id: "ep1" }));
    clock.advance(1700);
    await look();
    assert.deepEqual(times, [1700]);
  });

  test("is not begun when too little is left of that second", async () => {
    const { look, clock, times } = looking(1000, BUSY);
    clock.advance(1800);
    await assert.rejects(look(), (error) => isReadbackError(error, "wait_timeout"));
    assert.deepEqual(times, []);
  });

  test("with a deadline of its own is bounded by whoever gave it that", async () => {
    const { look, clock, times } = looking(1000, BUSY);
    clock.advance(2000);
    await assert.rejects(look({ timeoutMs: 50 }), (error) => isReadbackError(error, "server_error"));
    assert.equal(times.length, 4);
  });

  test("does not wait for a rate limit that is longer than the budget, and says which", async () => {
    const limited = (): Response => Response.json({}, { status: 429, headers: { "retry-after": "60" } });
    const { look, times } = looking(30_000, limited);
    await assert.rejects(look(), (error) => {
      assert.ok(isReadbackError(error, "wait_timeout"));
      assert.ok(isReadbackError(error.cause, "rate_limited"));
      assert.match(error.message, /60 s/);
      return error.retryable;
    });
    assert.equal(times.length, 1);
  });
});
