import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../lib/sandbox/mod.ts";
import { call } from "./_client.ts";

const LIST = "GET /v2/serverless";

test("the rate headers count down with every answer", async () => {
  const sandbox = createSandbox({ quotas: { minute: 60, hour: 3000, day: 50_000 } });
  await call(sandbox, LIST);
  sandbox.clock.advance(48_000);
  const { headers } = await call(sandbox, "GET /v2/nowhere");
  assert.equal(headers.get("ratelimit"), '"minute";r=58;t=12, "hour";r=2998;t=3552, "day";r=49998;t=86352');
  assert.equal(
    headers.get("ratelimit-policy"),
    '"minute";q=60;w=60, "hour";q=3000;w=3600, "day";q=50000;w=86400',
  );
});

test("a window that has run out refuses with its name until it is over", async () => {
  for (const [window, seconds] of [
    ["minute", 60],
    ["hour", 3600],
    ["day", 86_400],
  ] as const) {
    const sandbox = createSandbox({ quotas: { [window]: 2 } });
    assert.deepEqual([(await call(sandbox, LIST)).status, (await call(sandbox, LIST)).status], [200, 200]);
    sandbox.clock.advance(1500);
    const refused = await call(sandbox, LIST);
    assert.equal(refused.status, 429);
    assert.equal(refused.json.detail, `rate limit exceeded for the ${window} window`);
    assert.equal(refused.headers.get("retry-after"), String(seconds - 1));
    assert.match(refused.headers.get("ratelimit") ?? "", new RegExp(`"${window}";r=0;t=${seconds - 1}`));
    sandbox.clock.advance((seconds - 1) * 1000);
    assert.equal((await call(sandbox, LIST)).status, 200, window);
  }
});

test("a refused change of a full window changes nothing", async () => {
  const sandbox = createSandbox({ quotas: { minute: 0 } });
  assert.equal((await call(sandbox, "PATCH /v2/serverless/4m7x2k9q", { body: { name: "x" } })).status, 429);
  assert.equal(sandbox.state.endpoints.get("4m7x2k9q")?.name, "image-generator");
});

test("an exempt caller sees no rate headers", async () => {
  const { status, headers } = await call(createSandbox({ quotas: null }), LIST);
  assert.deepEqual([status, headers.get("ratelimit"), headers.get("ratelimit-policy")], [200, null, null]);
});
