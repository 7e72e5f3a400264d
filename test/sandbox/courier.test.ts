import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createSandbox, serve } from "../../lib/sandbox/mod.ts";
import { invoke, settings, submit } from "./_client.ts";

const webhook = "https://hooks.example/runpod";
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a webhook is the whole job with its input and itself, keys in order, numbers untouched", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = "echo";
  const text = `{"webhook":"${webhook}","input":{"n":18446744073709551615}}`;
  const { json } = await invoke(sandbox, "POST run", { text });
  sandbox.clock.advance(60_000);
  const [sent] = sandbox.webhooks;
  assert.ok(sent);
  assert.deepEqual(
    [sent.jobId, sent.url, sent.headers["user-agent"]],
    [json.id, webhook, "Go-http-client/2.0"],
  );
  const keys = ["delayTime", "executionTime", "id", "input", "output", "status", "webhook"];
  assert.deepEqual(Object.keys(JSON.parse(sent.body)), keys);
  assert.equal(sent.body.split("18446744073709551615").length, 3);
  assert.deepEqual(
    sent.attempts.map(({ status }) => status),
    [null],
    "recorded, not sent",
  );
});

test("a webhook is tried three times, 5 s and 15 s apart, and any 2xx ends it", async () => {
  for (const [answers, expected] of [
    [
      [500, 404, 500],
      [0, 5000, 20_000],
    ],
    [
      [500, 202],
      [0, 5000],
    ],
    [[200], [0]],
  ] as const) {
    const statuses: number[] = [...answers];
    const sandbox = createSandbox({ deliver: async () => statuses.shift() ?? 0 });
    await submit(sandbox, { prompt: "x" }, { webhook });
    for (let i = 0; i < 60; i++) {
      sandbox.clock.advance(1000);
      await settled();
    }
    const attempts = sandbox.webhooks[0]?.attempts ?? [];
    const first = attempts[0]?.at ?? 0;
    assert.deepEqual(
      attempts.map(({ at }) => at - first),
      expected,
    );
  }
});

test("a delivery that throws is a try without a status, and fails no job", async () => {
  const sandbox = createSandbox({ deliver: () => Promise.reject(new Error("no route")) });
  await submit(sandbox, { prompt: "x" }, { webhook });
  sandbox.clock.advance(60_000);
  await settled();
  assert.equal(sandbox.webhooks[0]?.attempts[0]?.status, null);
});

test("a served sandbox sends webhooks only where that is wanted", async () => {
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    for await (const chunk of req) bodies.push(String(chunk));
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    for (const webhooks of [false, true]) {
      const sandbox = createSandbox();
      const served = await serve(sandbox, { webhooks });
      await submit(sandbox, { prompt: "x" }, { webhook: url });
      sandbox.clock.advance(60_000);
      const deadline = Date.now() + 5000;
      while (sandbox.webhooks[0]?.attempts.length === 0 && Date.now() < deadline) await settled();
      await served.close();
      assert.equal(sandbox.webhooks[0]?.attempts[0]?.status, webhooks ? 200 : null);
    }
    assert.equal(bodies.length, 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
