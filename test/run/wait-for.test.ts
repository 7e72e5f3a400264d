import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arg } from "../../lib/arg.ts";
import type { Ops } from "../../lib/ops.ts";
import { defineRecipe } from "../../lib/recipe.ts";
import { runReadOnly } from "../../lib/run/plan-recipe.ts";
import { health } from "../../lib/steps/health.ts";
import { waitFor } from "../../lib/steps/wait-for.ts";
import { bench, loaded } from "./_sandbox.ts";

const ID = "4m7x2k9q";
type Fetch = (request: Request) => Promise<Response>;

/** Runs a read-only recipe whose health reads are answered by hand. */
async function waiting(run: (ops: Ops) => Promise<unknown>, answer: (count: number, last: Fetch) => Fetch) {
  const at = bench();
  const startedMs: number[] = [];
  const ended: unknown[] = [];
  const fetch: Fetch = (request) => {
    if (!request.url.endsWith("/health")) return at.box.fetch(request);
    startedMs.push(at.box.clock.now());
    request.signal.addEventListener("abort", () => ended.push(request.signal.reason));
    return answer(startedMs.length, at.box.fetch)(request);
  };
  const recipe = defineRecipe({
    name: "waiting",
    summary: "Wait for a read",
    args: { endpoint: arg.endpoint() },
    mutates: [],
    run,
  });
  const target = { ...at.context.target, timeoutMs: 50 };
  const { value } = await runReadOnly(
    loaded(recipe),
    { endpoint: ID },
    { ...at.context, target, fetch, readsNow: false },
  );
  return { value, startedMs, ended };
}

const HANGING: Fetch = () => new Promise(() => {});
const QUEUED: Fetch = async () => Response.json({ jobs: { inQueue: 1 }, workers: {} });

function drained(ops: Ops) {
  return {
    for: "the queue to drain",
    read: () => health(ops, ID),
    until: (now: Awaited<ReturnType<typeof health>>) => now.jobs.inQueue === 0,
  };
}

describe("waitFor() over a read", () => {
  test("takes a read that hangs for one failed poll: it is ended, and the next one counts", async () => {
    const { value, startedMs, ended } = await waiting(
      async (ops) => ({ left: (await waitFor(ops, drained(ops))).jobs.inQueue }),
      (count, sandbox) => (count === 1 ? HANGING : sandbox),
    );
    assert.deepEqual(value, { left: 0 });
    assert.equal(startedMs.length, 2);
    assert.equal(ended.length, 1);
  });

  test("makes one request a poll where reads fail for the moment, and names the last failure", async () => {
    const down: Fetch = async () => new Response("<html>", { status: 502 });
    const failed = waiting(
      (ops) => waitFor(ops, drained(ops), { budgetMs: 2_000 }),
      () => down,
    );
    await assert.rejects(
      failed,
      /gave up waiting for the queue to drain after 2s; the last read failed: .*502/,
    );
  });

  test("pauses by its interval policy", async () => {
    const { startedMs } = await waiting(
      (ops) =>
        waitFor(ops, drained(ops), { intervals: { firstMs: 3_000, factor: 1, maxMs: 3_000 } }).then(() => 0),
      (count, sandbox) => (count < 4 ? QUEUED : sandbox),
    );
    const [first = 0, ...rest] = startedMs;
    assert.deepEqual(
      rest.map((ms) => ms - first),
      [3_000, 6_000, 9_000],
    );
  });

  test("refuses an interval policy that would hammer", async () => {
    const refused = waiting(
      (ops) => waitFor(ops, drained(ops), { intervals: { firstMs: 0, factor: 1, maxMs: 0 } }),
      () => QUEUED,
    );
    await assert.rejects(refused, /firstMs must be above 0/);
  });

  test("ends with its own signal, the request in flight too, and the recipe may go on", async () => {
    const stop = new AbortController();
    const { value, ended } = await waiting(
      async (ops) => {
        const wait = waitFor(ops, drained(ops), { signal: stop.signal });
        setTimeout(() => stop.abort(new Error("enough")), 5);
        const why = await wait.catch((error: Error) => error.message);
        const { jobs } = await health(ops, ID);
        return { why, left: jobs.inQueue };
      },
      (count, sandbox) => (count === 1 ? HANGING : sandbox),
    );
    assert.deepEqual(value, { why: "enough", left: 0 });
    assert.equal(ended.length, 1);
  });
});
