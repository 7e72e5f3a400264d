import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { invoke, PINNED, submit } from "../_client.ts";

test("a third purge within 10 s is 429, in plain words, and the window passes", async () => {
  const sandbox = createSandbox();
  const codes = [];
  for (let i = 0; i < 3; i++) codes.push((await invoke(sandbox, "POST purge-queue")).status);
  assert.deepEqual(codes, [200, 200, 429]);
  const refused = await invoke(sandbox, "POST purge-queue");
  assert.deepEqual(refused.json, { error: "too many requests" });
  assert.deepEqual([refused.headers.get("retry-after"), refused.headers.get("ratelimit")], [null, null]);
  assert.equal((await invoke(sandbox, "POST purge-queue", { id: PINNED })).status, 200, "per endpoint");
  sandbox.clock.advance(10_000);
  assert.equal((await invoke(sandbox, "POST purge-queue")).status, 200);
});

test("a 429 says Retry-After where the rule wants it", async () => {
  const sandbox = createSandbox({ rules: { invokeRetryAfter: true } });
  sandbox.clock.advance(3500);
  for (let i = 0; i < 2; i++) await invoke(sandbox, "POST purge-queue");
  assert.equal((await invoke(sandbox, "POST purge-queue")).headers.get("retry-after"), "7");
});

test("only so many requests are held at once, and one that ends makes room", async () => {
  const sandbox = createSandbox({ speed: 1, invokeLimits: { jobStatusSync: { per10s: 100, atOnce: 2 } } });
  const job = await submit(sandbox);
  const held = [1, 2].map(() => invoke(sandbox, `GET status-sync/${job}`));
  assert.equal((await invoke(sandbox, `GET status-sync/${job}`)).status, 429);
  await invoke(sandbox, `POST cancel/${job}`);
  await Promise.all(held);
  assert.equal((await invoke(sandbox, `GET status-sync/${job}`)).status, 200);
});

test("health has no limit, and null lifts them all", async () => {
  const sandbox = createSandbox();
  for (let i = 0; i < 2100; i++) assert.equal((await invoke(sandbox, "GET health")).status, 200);
  const free = createSandbox({ invokeLimits: null });
  for (let i = 0; i < 5; i++) assert.equal((await invoke(free, "POST purge-queue")).status, 200);
});

test("the account's windows do not count this plane, and its do not count the other", async () => {
  const sandbox = createSandbox({ quotas: { minute: 1 } });
  for (let i = 0; i < 3; i++) assert.equal((await invoke(sandbox, "GET health")).status, 200);
});
