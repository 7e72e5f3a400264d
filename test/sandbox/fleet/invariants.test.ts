import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { call, health, invoke, patch, QUEUE, settings, submit, workers } from "../_client.ts";

type Move = { readonly kind: string; readonly n: number };

const MOVES = [
  "advance",
  "advance",
  "advance",
  "submit",
  "submit",
  "cancel",
  "purge",
  "retry",
  "max",
  "min",
  "image",
  "scaler",
  "handler",
];

const moves = fc.array(fc.record({ kind: fc.constantFrom(...MOVES), n: fc.nat({ max: 5 }) }), {
  maxLength: 40,
});

async function play(sandbox: Sandbox, { kind, n }: Move): Promise<void> {
  const jobs = [...(sandbox.state.fleets.get(QUEUE)?.jobs.keys() ?? [])];
  if (kind === "advance") sandbox.clock.advance(n * 4321 + 1);
  if (kind === "submit") await submit(sandbox, n === 0 ? {} : { prompt: "x", sleepMs: n * 7000 });
  if (kind === "cancel" || kind === "retry") await invoke(sandbox, `POST ${kind}/${jobs[n] ?? "none"}`);
  if (kind === "purge") await invoke(sandbox, "POST purge-queue");
  if (kind === "max") await patch(sandbox, QUEUE, { workers: { min: 0, max: n } });
  if (kind === "min") await patch(sandbox, QUEUE, { workers: { min: n, max: 5 } });
  if (kind === "image") await patch(sandbox, QUEUE, { image: `acme/w:${n}` });
  if (kind === "scaler")
    await patch(sandbox, QUEUE, { scaling: { type: "REQUEST_COUNT", requestCount: n + 1 } });
  if (kind === "handler")
    settings(sandbox).handler = ["generate-image", "raise", "silent", "stream", "fail", "echo"][n] ?? "echo";
}

async function look(sandbox: Sandbox): Promise<string> {
  const answers = [await health(sandbox), await workers(sandbox)] as const;
  const [{ jobs, workers: counts }, { summary, workers: list }] = answers;
  const { total, ...byStatus } = summary;
  const { ready, ...shared } = counts;
  assert.deepEqual(shared, byStatus, "health and the summary agree");
  assert.equal(total, list.length);
  assert.equal(
    Object.values(byStatus as Record<string, number>).reduce((a, b) => a + b, 0),
    total,
  );
  assert.ok(ready >= shared.idle, "ready counts the idle ones");
  assert.ok(jobs.inProgress <= byStatus.running, "each job in progress has a worker");
  const fleet = sandbox.state.fleets.get(QUEUE);
  const busy = fleet?.workers.filter(({ job }) => job !== null).length ?? 0;
  const staff = fleet?.workers.filter(({ isStopping }) => !isStopping).length ?? 0;
  assert.ok(staff <= Math.max(busy, sandbox.state.endpoints.get(QUEUE)?.workers.max ?? 0), "the limit holds");
  return JSON.stringify(answers);
}

async function story(drawn: readonly Move[]): Promise<readonly string[]> {
  const sandbox = createSandbox({ invokeLimits: null, quotas: null });
  const seen = [];
  for (const move of drawn) {
    await play(sandbox, move);
    seen.push(await look(sandbox));
  }
  sandbox.clock.advance(24 * 3_600_000 + 3_600_000);
  await patch(sandbox, QUEUE, { workers: { min: 0 } });
  sandbox.clock.advance(60_000);
  assert.equal(
    (await call(sandbox, `GET /invoke/v2/${QUEUE}/requests`)).json.requests.length,
    0,
    "all is forgotten",
  );
  assert.equal((await workers(sandbox)).summary.total, 0, "everybody has gone home");
  return seen;
}

test("whatever happens, the counts agree, limits hold, and the same story gives the same answers", async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (drawn) => {
      assert.deepEqual(await story(drawn), await story(drawn));
    }),
    { numRuns: 60, seed: 11 },
  );
});
