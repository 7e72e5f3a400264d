import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Clock } from "../../lib/clock.ts";
import { closingText } from "../../lib/plan/closing.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { bench, planPin } from "./_sandbox.ts";

/** Time stands still until the wait is aborted. */
function standing({ now }: Clock): Clock {
  const sleep: Clock["sleep"] = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  return { now, sleep };
}

describe("an interrupt of an apply", () => {
  test("reaches the read before a change, and nothing is sent", async () => {
    const stop = new AbortController();
    const at = bench({}, stop.signal);
    const plan = await planPin(at);
    const hanging = (): Promise<Response> => {
      queueMicrotask(() => stop.abort());
      return new Promise(() => {});
    };
    const result = await applyPlan(plan, { ...at.context, fetch: hanging });
    assert.equal(result.outcome, "interrupted");
    assert.match(closingText(result), /^NOT SENT/);
  });

  test("reaches the pause that the rate limit asked for, and the change does not go again", async () => {
    const stop = new AbortController();
    const at = bench({}, stop.signal);
    const plan = await planPin(at);
    let sent = 0;
    const busy = (request: Request): Promise<Response> => {
      if (request.method === "GET") return at.box.fetch(request);
      sent += 1;
      return Promise.resolve(new Response("{}", { status: 429, headers: { "retry-after": "50" } }));
    };
    const result = await applyPlan(plan, {
      ...at.context,
      fetch: busy,
      clock: standing(at.box.clock),
      onEvent: (event) => {
        if (event.type === "note" && event.text.startsWith("waiting 50 s")) setTimeout(() => stop.abort(), 0);
      },
    });
    assert.equal(result.outcome, "interrupted");
    assert.equal(sent, 1);
    assert.match(closingText(result), /^NOT SENT/);
  });

  test("does not reach the change in flight, nor the read that proves it", async () => {
    const stop = new AbortController();
    const at = bench({}, stop.signal);
    const plan = await planPin(at);
    const slow = async (request: Request): Promise<Response> => {
      if (request.method === "PATCH") stop.abort();
      await Promise.resolve();
      return await at.box.fetch(request);
    };
    const result = await applyPlan(plan, { ...at.context, fetch: slow });
    assert.equal(result.applied[0]?.readBack?.verdict, "verified");
  });
});
