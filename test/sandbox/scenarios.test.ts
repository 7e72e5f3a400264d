import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, listScenarios } from "../../lib/sandbox/mod.ts";
import { call, PINNED, QUEUE, read } from "./_client.ts";

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
