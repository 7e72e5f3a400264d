import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, listScenarios } from "../../lib/sandbox/mod.ts";
import { call, health, invoke, PINNED, patch, QUEUE, read, submit, workers } from "./_client.ts";

test("the healthy world has the four endpoints, as a person would know them", async () => {
  const { endpoints } = (await call(createSandbox(), "GET /v2/serverless")).json;
  const rows = endpoints.map((e: Record<string, unknown>) => [e["id"], e["name"], e["type"]]);
  assert.deepEqual(rows, [
    ["4m7x2k9q", "image-generator", "QUEUE"],
    ["7c3v1n8p", "cpu-inference", "QUEUE"],
    ["9k2w5t1r", "chat-lb", "LOAD_BALANCER"],
    ["3p8n6v2d", "transcriber", "QUEUE"],
  ]);
});

test("image-generator and transcriber are configured as documented", async () => {
  const sandbox = createSandbox();
  const { gpu, workers, scaling, dataCenterIds } = await read(sandbox, QUEUE);
  assert.deepEqual(
    { gpu, workers, scaling, dataCenterIds },
    {
      gpu: { pools: ["ADA_24"], count: 1, allowedCudaVersions: [], minCudaVersion: null },
      workers: { min: 0, max: 5, idleTimeout: 5 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      dataCenterIds: ["US-KS-2"],
    },
  );
  const pinned = await read(sandbox, PINNED);
  assert.deepEqual([pinned.gpu.excludedTypes.length, pinned.gpu.minCudaVersion], [2, "12.4"]);
  assert.equal("idleTimeout" in pinned.workers, false);
});

test("a scenario differs from the healthy world in its own point only", async () => {
  const healthy = await read(createSandbox(), QUEUE);
  for (const [scenario, max] of [
    ["worker-limit", 0],
    ["idle-3d", 2],
    ["long-idle", 0],
  ] as const) {
    const endpoint = await read(createSandbox({ scenario }), QUEUE);
    assert.deepEqual(endpoint, { ...healthy, workers: { ...healthy.workers, max } });
  }
});

test("an unknown scenario is refused with the names of those that exist", () => {
  const names = listScenarios().map(({ name }) => name);
  assert.throws(
    () => createSandbox({ scenario: "paradise" }),
    (error: Error) => [`"paradise"`, ...names].every((name) => error.message.includes(name)),
  );
});

test("two sandboxes share nothing", async () => {
  const [a, b] = [createSandbox(), createSandbox()];
  const endpoint = a.state.endpoints.get(QUEUE);
  assert.ok(endpoint);
  endpoint.env["ONLY_A"] = "1";
  endpoint.gpu?.pools.push("AMPERE_24");
  const other = await read(b, QUEUE);
  assert.deepEqual([other.env["ONLY_A"], other.gpu.pools], [undefined, ["ADA_24"]]);
});

test("the same seed gives the same ids and request ids", async () => {
  const trace = async (seed: number) => {
    const sandbox = createSandbox({ seed });
    const answer = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
    return [answer.text, answer.headers.get("x-request-id")];
  };
  assert.deepEqual(await trace(3), await trace(3));
  assert.notDeepEqual(await trace(3), await trace(4));
});

/** The counts that are not zero, and the workers, `*` where stale. */
async function picture(scenario: string, afterMs = 0): Promise<string> {
  const sandbox = createSandbox({ scenario });
  sandbox.clock.advance(afterMs);
  const { jobs } = await health(sandbox);
  const counts = Object.entries(jobs).filter(([, count]) => count !== 0);
  const list = (await workers(sandbox)).workers.map(
    ({ status, isStale }: { status: string; isStale: boolean }) => status + (isStale ? "*" : ""),
  );
  return [...counts.map(([name, count]) => `${name} ${count}`), ...list].join(", ");
}

test("every scenario shows the world that it names, from its first moment on", async () => {
  const pictures = {
    healthy: "",
    "worker-limit": "",
    cold: "inQueue 1, INITIALIZING",
    "busy-queue": "completed 2, inProgress 2, inQueue 11, RUNNING, RUNNING",
    "slow-scaler": "completed 1, inProgress 1, inQueue 4, RUNNING",
    "ready-not-dispatching": "inQueue 3, IDLE",
    throttled: `inQueue 3${", THROTTLED".repeat(5)}`,
    "throttled-leftover": "THROTTLED",
    rollout: "inProgress 1, RUNNING*, INITIALIZING",
    "job-fails": "failed 2",
  };
  for (const [scenario, expected] of Object.entries(pictures))
    assert.equal(await picture(scenario), expected, scenario);
});

test("the backlog of busy-queue drains, that of ready-not-dispatching does not, with time", async () => {
  assert.match(await picture("busy-queue", 600_000), /completed 15/);
  assert.equal(await picture("ready-not-dispatching", 600_000), "inQueue 3, IDLE");
  assert.equal(await picture("throttled-leftover", 600_000), "THROTTLED");
});

test("bad-payload has a failed job and one on its second try", async () => {
  const sandbox = createSandbox({ scenario: "bad-payload" });
  const { jobs } = await health(sandbox);
  assert.deepEqual([jobs.failed, jobs.inProgress, jobs.retried], [1, 1, 2]);
  const job = await submit(sandbox);
  sandbox.clock.advance(60_000);
  assert.equal((await invoke(sandbox, `GET status/${job}`)).json.status, "COMPLETED", "a good payload works");
});

test("what should help, helps: a pin, a shorter delay, and moving the limit", async () => {
  const fixes = {
    throttled: { gpu: { pools: ["ADA_48_PRO"] } },
    "slow-scaler": { scaling: { type: "QUEUE_DELAY", queueDelay: 4 } },
    "worker-limit": { workers: { max: 3 } },
  };
  for (const [scenario, body] of Object.entries(fixes)) {
    const sandbox = createSandbox({ scenario });
    await submit(sandbox);
    await patch(sandbox, QUEUE, body);
    sandbox.clock.advance(130_000);
    assert.equal((await health(sandbox)).jobs.inQueue, 0, scenario);
  }
});

test("a scenario is the same every time, and depends on the seed in ids and times only", async () => {
  const list = async (seed: number) =>
    (await workers(createSandbox({ scenario: "busy-queue", seed }))).workers;
  assert.deepEqual(await list(1), await list(1));
  assert.notDeepEqual(await list(1), await list(2));
});
