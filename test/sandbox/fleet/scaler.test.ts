import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { health, patch, QUEUE, settings, submit, workers } from "../_client.ts";

const ONE_EACH = { scaling: { type: "REQUEST_COUNT", requestCount: 1 } };

async function totals(sandbox: Sandbox, waits: readonly number[]): Promise<readonly number[]> {
  const seen = [];
  for (const ms of waits) {
    sandbox.clock.advance(ms);
    seen.push((await workers(sandbox)).summary.total);
  }
  return seen;
}

async function burst(sandbox: Sandbox, jobs: number, sleepMs = 60_000, more: object = {}): Promise<void> {
  for (let i = 0; i < jobs; i++) await submit(sandbox, { prompt: "x", sleepMs }, more);
}

test("REQUEST_COUNT: as many workers as jobs divided by the count, rounded up, up to the limit", async () => {
  for (const [requestCount, jobs, expected] of [
    [1, 3, 3],
    [4, 9, 3],
    [4, 8, 2],
    [1, 9, 5],
  ] as const) {
    const sandbox = createSandbox();
    await patch(sandbox, QUEUE, { scaling: { type: "REQUEST_COUNT", requestCount } });
    await burst(sandbox, jobs);
    assert.deepEqual(
      await totals(sandbox, [0, 30_000]),
      [expected, expected],
      `${jobs} jobs of ${requestCount}`,
    );
  }
});

test("QUEUE_DELAY: the first worker at once, another whenever the oldest job has waited too long", async () => {
  const sandbox = createSandbox();
  settings(sandbox).coldStartMs = [1000, 1000];
  await burst(sandbox, 9);
  assert.deepEqual(await totals(sandbox, [0, 3900, 200, 4000, 4000, 4000, 10_000]), [1, 1, 2, 3, 4, 5, 5]);
});

test("QUEUE_DELAY starts no worker while another is starting", async () => {
  const sandbox = createSandbox();
  settings(sandbox).coldStartMs = [30_000, 30_000];
  await burst(sandbox, 9);
  assert.deepEqual(await totals(sandbox, [0, 20_000, 9000, 1200]), [1, 1, 1, 2]);
});

test("from zero, QUEUE_DELAY starts at once or after its delay, as the rule says", async () => {
  for (const [scaleFromZero, expected] of [
    ["at once", [1, 1]],
    ["after the delay", [0, 1]],
  ] as const) {
    const sandbox = createSandbox({ rules: { scaleFromZero } });
    await burst(sandbox, 1);
    assert.deepEqual(await totals(sandbox, [3900, 200]), expected);
  }
});

test("low-priority jobs start no worker, and run on one that is there", async () => {
  const sandbox = createSandbox();
  await burst(sandbox, 2, 100, { policy: { lowPriority: true } });
  assert.deepEqual(await totals(sandbox, [0, 60_000]), [0, 0]);
  await burst(sandbox, 1, 100);
  sandbox.clock.advance(20_000);
  assert.equal((await health(sandbox)).jobs.completed, 3);
});

test("an idle worker leaves after the idle timeout and three seconds more", async () => {
  const sandbox = createSandbox();
  settings(sandbox).coldStartMs = [8000, 8000];
  await burst(sandbox, 1, 1000);
  assert.deepEqual(await totals(sandbox, [8000 + 60 + 1000, 4999, 2, 2990, 20]), [1, 1, 1, 1, 0]);
});

test("minimum workers stay, and read as running", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { workers: { min: 2 } });
  assert.deepEqual(await totals(sandbox, [0, 20_000, 600_000]), [2, 2, 2]);
  const { summary } = await workers(sandbox);
  assert.deepEqual([summary.running, summary.idle, (await health(sandbox)).workers.ready], [2, 0, 0]);
  await patch(sandbox, QUEUE, { workers: { min: 0 } });
  assert.deepEqual(await totals(sandbox, [0, 3000]), [2, 0]);
});

test("workers.max 0 ends idle workers at once and busy ones after their job; back up, jobs go on", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { ...ONE_EACH, workers: { max: 3 } });
  await burst(sandbox, 2, 30_000);
  await submit(sandbox, { prompt: "x", sleepMs: 100 });
  sandbox.clock.advance(13_000);
  const before = (await workers(sandbox)).workers.map(({ id }: { id: string }) => id);
  await patch(sandbox, QUEUE, { workers: { max: 0 } });
  await submit(sandbox);
  assert.deepEqual(await totals(sandbox, [3000, 20_000, 12_000, 60_000]), [2, 2, 0, 0]);
  assert.equal((await health(sandbox)).jobs.inQueue, 1);
  await patch(sandbox, QUEUE, { workers: { max: 3 } });
  sandbox.clock.advance(3000);
  const after = (await workers(sandbox)).workers.map(({ id }: { id: string }) => id);
  assert.deepEqual([after.length, after.some((id: string) => before.includes(id))], [1, false]);
});

test("a scaler that notices late is late", async () => {
  const sandbox = createSandbox();
  settings(sandbox).scalerDelayMs = 60_000;
  await patch(sandbox, QUEUE, ONE_EACH);
  await burst(sandbox, 2);
  assert.deepEqual(await totals(sandbox, [0, 59_000, 1000]), [0, 0, 2]);
});

test("a change written straight into the state takes effect with the next request", async () => {
  const sandbox = createSandbox();
  const endpoint = sandbox.state.endpoints.get(QUEUE);
  assert.ok(endpoint);
  endpoint.workers.min = 1;
  assert.deepEqual(await totals(sandbox, [0]), [1]);
});
