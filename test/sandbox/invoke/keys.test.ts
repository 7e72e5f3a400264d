import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { health, invoke, QUEUE } from "../_client.ts";

test("the key is taken with and without Bearer", async () => {
  const sandbox = createSandbox();
  for (const authorization of [sandbox.key, `Bearer ${sandbox.key}`]) {
    const request = new Request(`${sandbox.origin}/invoke/v2/${QUEUE}/health`, {
      headers: { authorization },
    });
    assert.equal((await sandbox.fetch(request)).status, 200);
  }
});

test("no key and an unknown one are 401", async () => {
  const sandbox = createSandbox();
  for (const key of [null, "rpa_UNKNOWN"]) {
    const answer = await invoke(sandbox, "GET health", { key });
    assert.deepEqual([answer.status, answer.json], [401, { error: "unauthorized" }]);
  }
});

test("a key without access is 401 or 403, as the rule says; a read-only key looks and submits nothing", async () => {
  for (const invokeNoAccess of [401, 403] as const) {
    const sandbox = createSandbox({ rules: { invokeNoAccess } });
    const body = { input: { prompt: "x" } };
    assert.equal((await invoke(sandbox, "GET health", { key: sandbox.noAccessKey })).status, invokeNoAccess);
    assert.equal(
      (await invoke(sandbox, "POST run", { key: sandbox.readOnlyKey, body })).status,
      invokeNoAccess,
    );
    assert.equal((await invoke(sandbox, "GET health", { key: sandbox.readOnlyKey })).status, 200);
    assert.equal((await health(sandbox)).jobs.inQueue, 0);
  }
});
