import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { BALANCER, invoke, PINNED, settings, status, submit } from "../_client.ts";

const MIB = 1024 * 1024;

test("run queues a job and answers at once, with an id like the real ones", async () => {
  const sandbox = createSandbox();
  const { json, headers } = await invoke(sandbox, "POST run", { body: { input: { prompt: "x" } } });
  assert.match(json.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-u1$/);
  assert.deepEqual(Object.keys(json), ["id", "status"]);
  assert.equal(json.status, "IN_QUEUE");
  assert.deepEqual([headers.get("ratelimit"), headers.get("content-type")], [null, "application/json"]);
  const european = await invoke(sandbox, "POST run", { id: PINNED, body: { input: { a: 1 } } });
  assert.match(european.json.id, /-e1$/);
});

test("the same seed gives the same job ids", async () => {
  const id = (seed: number) => submit(createSandbox({ seed }));
  assert.equal(await id(1), await id(1));
  assert.notEqual(await id(1), await id(2));
});

test("an echoed input comes back byte for byte", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = "echo";
  const input =
    '{"seed":18446744073709551615,"f":1.0, "z":-0.0,"gpuTypeId":"x","__proto__":{"a":1},"2":0,"1":0,"a":1,"a":2}';
  const { json } = await invoke(sandbox, "POST run", { text: `{"policy":{},"input":${input}}` });
  sandbox.clock.advance(60_000);
  const { text } = await invoke(sandbox, `GET status/${json.id}`);
  assert.ok(text.includes(`"output":${input}`), text);
});

test("a body that is no job is 400 in plain JSON and queues nothing", async () => {
  const sandbox = createSandbox();
  const bodies = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"input":null}',
    '{"input":[1]}',
    '{"input":"x"}',
    '{"input":1}',
  ];
  for (const text of bodies) {
    for (const route of ["run", "runsync"]) {
      const answer = await invoke(sandbox, `POST ${route}`, { text });
      assert.equal(answer.status, 400, text);
      assert.deepEqual(Object.keys(answer.json), ["error"]);
      assert.equal(answer.headers.get("content-type"), "application/json");
    }
  }
  assert.equal(sandbox.state.fleets.get("4m7x2k9q")?.jobs.size, 0);
  assert.ok(sandbox.requests.every(({ applied }) => !applied));
});

test("run takes 10 MiB and runsync 20, in bytes", async () => {
  const sandbox = createSandbox();
  settings(sandbox).handler = "big-output";
  const sent = async (route: string, bytes: number) => {
    const frame = '{"input":{"p":""}}';
    const text = frame.replace('""', `"${"é".repeat((bytes - frame.length) / 2)}"`);
    return (await invoke(sandbox, `POST ${route}`, { text })).status;
  };
  assert.deepEqual([await sent("run", 10 * MIB), await sent("run", 10 * MIB + 2)], [200, 400]);
  assert.deepEqual([await sent("runsync", 20 * MIB), await sent("runsync", 20 * MIB + 2)], [200, 400]);
});

test("a policy out of its bounds is accepted or refused, as the rule says", async () => {
  for (const [rule, expected] of [
    ["accepted", 200],
    [400, 400],
  ] as const) {
    const sandbox = createSandbox({ rules: { policyBounds: rule } });
    for (const policy of [{ ttl: 30 }, { executionTimeout: 8 * 86_400_000 }]) {
      const answer = await invoke(sandbox, "POST run", { body: { input: { prompt: "x" }, policy } });
      assert.equal(answer.status, expected, JSON.stringify(policy));
    }
  }
});

test("policy and webhook inside the input are the handler's data", async () => {
  const sandbox = createSandbox();
  const job = await submit(sandbox, {
    prompt: "x",
    policy: { ttl: 10_000 },
    webhook: "https://hooks.example",
  });
  sandbox.clock.advance(60_000);
  assert.equal((await status(sandbox, job)).status, "COMPLETED");
  assert.equal(sandbox.webhooks.length, 0);
});

test("unknown endpoints are 404, a load balancer has no queue", async () => {
  const sandbox = createSandbox();
  const body = { input: { prompt: "x" } };
  for (const request of [
    "POST run",
    "POST runsync",
    "GET status/j",
    "GET stream/j",
    "POST cancel/j",
    "POST purge-queue",
  ]) {
    const send = (id: string) => invoke(sandbox, request, request.endsWith("run") ? { id, body } : { id });
    const unknown = await send("nobody");
    assert.deepEqual([unknown.status, unknown.json], [404, { error: "endpoint not found" }]);
    const balancer = await send(BALANCER);
    assert.deepEqual([balancer.status, balancer.json], [400, { error: "not allowed for QB API" }]);
  }
});

test("paths that do not exist are 404, wrong methods 405, in this plane's words", async () => {
  const sandbox = createSandbox();
  const unknown = await invoke(sandbox, "GET metrics");
  assert.deepEqual([unknown.status, Object.keys(unknown.json)], [404, ["error"]]);
  const wrong = await invoke(sandbox, "GET run");
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"]);
});
