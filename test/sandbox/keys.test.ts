import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../lib/sandbox/mod.ts";
import { call, QUEUE } from "./_client.ts";

test("a missing or unknown key is 401 without rate headers", async () => {
  const sandbox = createSandbox();
  for (const key of [null, "rpa_UNKNOWN"]) {
    const answer = await call(sandbox, "GET /v2/serverless", { key });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get("ratelimit"), null);
    assert.match(answer.headers.get("x-request-id") ?? "", /./);
  }
  const raw = new Request(`${sandbox.origin}/v2/serverless`, { headers: { authorization: sandbox.key } });
  assert.equal((await sandbox.fetch(raw)).status, 401);
});

test("a read-only key reads, and is 403 for a change; a key without access is 403 for all", async () => {
  const sandbox = createSandbox();
  const body = { name: "x" };
  const status = async (request: string, key: string) =>
    (await call(sandbox, request, { key, ...(request.startsWith("GET") ? {} : { body }) })).status;
  assert.equal(await status("GET /v2/serverless", sandbox.readOnlyKey), 200);
  assert.equal(await status(`PATCH /v2/serverless/${QUEUE}`, sandbox.readOnlyKey), 403);
  assert.equal(await status("GET /v2/serverless", sandbox.noAccessKey), 403);
  const refused = await call(sandbox, "GET /v2/serverless", { key: sandbox.noAccessKey });
  assert.equal(refused.json.detail, "access denied");
  assert.match(refused.headers.get("ratelimit") ?? "", /"minute"/);
});

test("an unknown path is 404, a known one with another method 405 with Allow", async () => {
  const sandbox = createSandbox();
  const unknown = await call(sandbox, "GET /v2/networkvolumes");
  assert.deepEqual([unknown.status, unknown.json.detail], [404, "The requested path was not found."]);
  assert.equal((await call(sandbox, "GET /v2/serverless/")).status, 404);
  const wrong = await call(sandbox, "DELETE /v2/serverless");
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, POST"]);
  assert.equal(wrong.json.detail, "The requested method is not allowed for this path.");
});

test("the keys look like keys and depend on the seed only", () => {
  const [a, b, c] = [createSandbox(), createSandbox(), createSandbox({ seed: 2 })];
  assert.match(a.key, /^rpa_SANDBOX[0-9A-Z]{24}$/);
  assert.equal(a.key, b.key);
  assert.notEqual(a.key, c.key);
});

test("every request is recorded as it came", async () => {
  const sandbox = createSandbox();
  await call(sandbox, `PATCH /v2/serverless/${QUEUE}?x=1`, { text: '{ "name":  "x" }' });
  const [record] = sandbox.requests;
  assert.ok(record);
  const { n, at, method, path, query, body, status, applied, route } = record;
  assert.deepEqual(
    { n, at, method, path, query, body, status, applied, route },
    {
      ...{ n: 1, at: sandbox.clock.now(), method: "PATCH", path: `/v2/serverless/${QUEUE}`, query: "x=1" },
      ...{ body: '{ "name":  "x" }', status: 200, applied: true, route: "patchEndpoint" },
    },
  );
  assert.equal(record.headers["authorization"], `Bearer ${sandbox.key}`);
  assert.equal(new TextDecoder().decode(record.bytes), body);
});
