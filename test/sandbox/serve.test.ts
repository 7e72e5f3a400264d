import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Fault, type Sandbox, serve } from "../../lib/sandbox/mod.ts";
import { invoke, QUEUE, submit } from "./_client.ts";

async function served(body: (sandbox: Sandbox, url: string) => Promise<void>): Promise<void> {
  const sandbox = createSandbox({ speed: 1 });
  const server = await serve(sandbox);
  try {
    await body(sandbox, server.url);
  } finally {
    await server.close();
  }
}

function get(
  sandbox: Sandbox,
  url: string,
  signal: AbortSignal = AbortSignal.timeout(5000),
): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${sandbox.key}` }, signal });
}

test("a served sandbox listens on loopback and its URLs point at itself", async () => {
  const sandbox = createSandbox();
  const { url, env, close } = await serve(sandbox);
  try {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.deepEqual(env, {
      RUNPOD_API_BASE_URL: url,
      RUNPOD_INVOKE_URL: `${url}/invoke/v2`,
      RUNPOD_SERVERLESS_API_URL: `${url}/invoke/v2`,
      RUNPOD_API_KEY: sandbox.key,
    });
    const response = await get(sandbox, `${url}/v2/serverless/${QUEUE}`);
    assert.match(response.headers.get("ratelimit") ?? "", /"minute"/);
    const { requestUrls } = (await response.json()) as { requestUrls: { run: string } };
    assert.equal(requestUrls.run, `${url}/invoke/v2/${QUEUE}/run`);
  } finally {
    await close();
  }
});

test("a PATCH arrives with its bytes, and a 204 has no body", async () => {
  await served(async (sandbox, url) => {
    const headers = { authorization: `Bearer ${sandbox.key}`, "content-type": "application/json" };
    const body = '{"workers":{"max":8}, "name":"naïve"}';
    const patched = await fetch(`${url}/v2/serverless/${QUEUE}`, { method: "PATCH", headers, body });
    assert.equal(patched.status, 200);
    await patched.text();
    assert.equal(sandbox.requests[0]?.body, body);
    const gone = await fetch(`${url}/v2/serverless/${QUEUE}`, { method: "DELETE", headers });
    assert.deepEqual([gone.status, await gone.text()], [204, ""]);
  });
});

test("a broken connection is broken for real, and the next request is answered", async () => {
  const kinds: readonly Fault["kind"][] = ["reset", "lost-reply", "cut-body"];
  await served(async (sandbox, url) => {
    for (const kind of kinds) {
      const fault = { route: "listEndpoints", kind } as Fault;
      const active = sandbox.faults.add(fault);
      await assert.rejects(async () => await (await get(sandbox, `${url}/v2/serverless`)).text(), kind);
      active.remove();
      const after = await get(sandbox, `${url}/v2/serverless`);
      assert.equal(after.status, 200);
      await after.text();
    }
  });
});

test("a cut body comes with its status and headers", async () => {
  await served(async (sandbox, url) => {
    sandbox.faults.add({ route: "listEndpoints", kind: "cut-body" });
    const outcome = await get(sandbox, `${url}/v2/serverless`).then(
      async (response) => ({ status: response.status, text: await response.text().catch(() => "cut") }),
      () => "no headers",
    );
    assert.deepEqual(outcome, { status: 200, text: "cut" });
  });
});

test("hang withholds even the headers, and close() ends it", async () => {
  const sandbox = createSandbox({ speed: 1 });
  const { url, close } = await serve(sandbox);
  sandbox.faults.add({ route: "listEndpoints", kind: "hang" });
  await assert.rejects(get(sandbox, `${url}/v2/serverless`, AbortSignal.timeout(60)), /abort|time/i);
  const hanging = assert.rejects(get(sandbox, `${url}/v2/serverless`));
  while (sandbox.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  await close();
  await hanging;
});

test("close() ends idle keep-alive connections too", async () => {
  const sandbox = createSandbox();
  const { url, close } = await serve(sandbox);
  await (await get(sandbox, `${url}/v2/serverless`)).text();
  const started = Date.now();
  await close();
  assert.ok(Date.now() - started < 1000);
});

test("latency is real time when the clock runs with the wall", async () => {
  await served(async (sandbox, url) => {
    sandbox.faults.add({ route: "*", kind: "latency", ms: 60 });
    const started = performance.now();
    await (await get(sandbox, `${url}/v2/serverless`)).text();
    assert.ok(performance.now() - started >= 50);
  });
});

test("a held request whose client goes away makes room for another", async () => {
  const sandbox = createSandbox({ speed: 1, invokeLimits: { jobStatusSync: { per10s: 100, atOnce: 1 } } });
  const { url, close } = await serve(sandbox);
  try {
    const job = await submit(sandbox);
    const held = `${url}/invoke/v2/${QUEUE}/status-sync/${job}`;
    await assert.rejects(get(sandbox, held, AbortSignal.timeout(60)), /abort|time/i);
    await invoke(sandbox, `POST cancel/${job}`);
    const deadline = Date.now() + 5000;
    let status = 429;
    while (status === 429 && Date.now() < deadline) {
      const response = await get(sandbox, held);
      status = response.status;
      await response.text();
    }
    assert.equal(status, 200);
  } finally {
    await close();
  }
});

test("a job ends and a hold with it, in the sandbox's own real time", async () => {
  const sandbox = createSandbox({ speed: 100 });
  const { url, close } = await serve(sandbox);
  try {
    const job = await submit(sandbox, { prompt: "x", sleepMs: 5000 });
    const response = await get(sandbox, `${url}/invoke/v2/${QUEUE}/status-sync/${job}`);
    const { status, executionTime } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([status, executionTime], ["COMPLETED", 5000]);
  } finally {
    await close();
  }
});
