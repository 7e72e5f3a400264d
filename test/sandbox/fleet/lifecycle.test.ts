import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { BALANCER, CPU, call, PINNED, patch, QUEUE, settings, submit, workers } from "../_client.ts";

const STOCK = "NVIDIA GeForce RTX 4090@US-KS-2";

async function readyAfter(sandbox: Sandbox, id = QUEUE): Promise<number> {
  const start = sandbox.clock.now();
  while ((await workers(sandbox, id)).summary.initializing > 0) sandbox.clock.advance(100);
  return sandbox.clock.now() - start;
}

async function startOf(seed: number, body: object = {}): Promise<number> {
  const sandbox = createSandbox({ seed });
  await patch(sandbox, QUEUE, { workers: { min: 1 }, ...body });
  return await readyAfter(sandbox);
}

test("a cold start takes 8 to 12 s, 20 to 60 s with a pull, and depends on the seed", async () => {
  const [cold, pulled] = [new Set<number>(), new Set<number>()];
  for (let seed = 1; seed <= 8; seed++) {
    cold.add(await startOf(seed));
    pulled.add(await startOf(seed, { image: "acme/other:2" }));
  }
  assert.ok(
    [...cold].every((ms) => ms >= 8000 && ms <= 12_100),
    String([...cold]),
  );
  assert.ok(
    [...pulled].every((ms) => ms >= 20_000 && ms <= 60_100),
    String([...pulled]),
  );
  assert.ok(cold.size > 3 && pulled.size > 3);
  assert.equal(await startOf(3), await startOf(3));
});

test("an image is pulled once", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { image: "acme/other:2", workers: { min: 1 } });
  await readyAfter(sandbox);
  await patch(sandbox, QUEUE, { workers: { min: 2 } });
  assert.ok((await readyAfter(sandbox)) <= 12_100);
});

test("FlashBoot makes the next start quick, without it every start is cold", async () => {
  for (const flashboot of ["FLASHBOOT", "OFF"]) {
    const sandbox = createSandbox();
    await patch(sandbox, QUEUE, { flashboot });
    await submit(sandbox);
    sandbox.clock.advance(60_000);
    assert.equal((await workers(sandbox)).summary.total, 0);
    await submit(sandbox);
    const ms = await readyAfter(sandbox);
    assert.ok(flashboot === "OFF" ? ms >= 8000 : ms <= 2100, `${flashboot} ${ms}`);
  }
});

test("a worker tells where it runs: an allowed GPU type, in an allowed data center", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, PINNED, { workers: { min: 1 } });
  await patch(sandbox, CPU, { workers: { min: 1 } });
  const [pinned] = (await workers(sandbox, PINNED)).workers;
  assert.ok(["NVIDIA A40", "NVIDIA L40S", "NVIDIA RTX 6000 Ada Generation"].includes(pinned.gpuTypeId));
  assert.ok(["EU-RO-1", "US-KS-2"].includes(pinned.dataCenterId));
  assert.match(pinned.id, /^[0-9a-z]{14}$/);
  assert.deepEqual([pinned.version, pinned.gpuCount, pinned.image], [3, 1, "acme/whisper-worker:0.9.0"]);
  assert.equal(pinned.startedAt, new Date(sandbox.clock.now()).toISOString());
  const [onCpu] = (await workers(sandbox, CPU)).workers;
  assert.deepEqual([onCpu.gpuTypeId, onCpu.gpuCount], [null, 0]);
});

test("the best stock wins, and a pin to another card moves workers that start later", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { workers: { min: 1 } });
  sandbox.clock.advance(20_000);
  await patch(sandbox, QUEUE, { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] } });
  sandbox.state.stock.set("NVIDIA RTX 6000 Ada Generation@US-KS-2", "HIGH");
  await patch(sandbox, QUEUE, { workers: { min: 2 } });
  const cards = (await workers(sandbox)).workers.map((w: Record<string, unknown>) => [
    w["gpuTypeId"],
    w["isStale"],
  ]);
  assert.deepEqual(cards, [
    ["NVIDIA GeForce RTX 4090", true],
    ["NVIDIA RTX 6000 Ada Generation", false],
  ]);
});

test("without stock a worker is throttled, and starts about 30 s after there is some", async () => {
  const sandbox = createSandbox();
  sandbox.state.stock.set(STOCK, "NONE");
  await submit(sandbox, { prompt: "x", sleepMs: 60_000 });
  const { summary, workers: list } = await workers(sandbox);
  assert.deepEqual(
    [summary.throttled, summary.total, list[0].startedAt, list[0].gpuTypeId],
    [1, 1, null, null],
  );
  sandbox.clock.advance(100_000);
  assert.equal((await workers(sandbox)).summary.initializing, 0);
  sandbox.state.stock.set(STOCK, "LOW");
  sandbox.clock.advance(30_000);
  const after = (await workers(sandbox)).summary;
  assert.ok(after.throttled === 0 && after.total > 0, JSON.stringify(after));
});

test("throttled workers that nobody needs any more are cleared away", async () => {
  const sandbox = createSandbox({ scenario: "throttled" });
  assert.equal((await workers(sandbox)).summary.throttled, 5);
  await call(sandbox, `POST /invoke/v2/${QUEUE}/purge-queue`);
  assert.equal((await workers(sandbox)).summary.total, 0);
});

test("a capacity set by hand is the most workers that start", async () => {
  const sandbox = createSandbox();
  settings(sandbox).capacity = 1;
  await patch(sandbox, QUEUE, { workers: { min: 3 } });
  sandbox.clock.advance(60_000);
  const { running, throttled } = (await workers(sandbox)).summary;
  assert.deepEqual([running, throttled], [1, 2]);
});

test("the minimum worker of the load balancer has been there for an hour", async () => {
  const sandbox = createSandbox({ rules: { showsUptime: true } });
  const [worker] = (await workers(sandbox, BALANCER)).workers;
  assert.deepEqual([worker.status, worker.uptimeSeconds], ["RUNNING", 3600]);
});

test("a deleted endpoint takes its workers and jobs with it, and cancels them", async () => {
  const sandbox = createSandbox();
  const webhook = "https://hooks.example/x";
  const running = await submit(sandbox, { prompt: "x", sleepMs: 60_000 }, { webhook });
  sandbox.clock.advance(20_000);
  const queued = await submit(sandbox, { prompt: "x" }, { webhook });
  await call(sandbox, `DELETE /v2/serverless/${QUEUE}`);
  assert.deepEqual(
    sandbox.webhooks.map(({ jobId, body }) => [jobId, JSON.parse(body).status]),
    [
      [running, "CANCELLED"],
      [queued, "CANCELLED"],
    ],
  );
  sandbox.clock.advance(86_400_000);
  assert.equal((await call(sandbox, `GET /v2/serverless/${QUEUE}/workers`)).status, 404);
});
