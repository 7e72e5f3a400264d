import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { call, errorOf } from "./_spawn.ts";

describe("readback gpus", () => {
  let sandbox: Sandbox;
  let served: ServedSandbox;
  before(async () => {
    sandbox = createSandbox();
    served = await serve(sandbox);
  });
  after(() => served.close());

  test("prints one document where stdout is no terminal, from one read", async () => {
    const called = await call(["gpus"], { env: served.env });
    assert.equal(called.status, 0, called.stderr);
    const { schema, types } = JSON.parse(called.stdout);
    assert.equal(schema, "readback/gpus@1");
    assert.equal(types.length, 45);
    assert.deepEqual(
      sandbox.requests.map(({ method, path }) => [method, path]),
      [["GET", "/v2/catalog/gpus"]],
    );
  });

  test("asks the service for machines of the CUDA floor, so that stock counts these alone", async () => {
    const called = await call(["gpus", "--min-cuda", "13.0", "--json"], { env: served.env });
    const { filter, types } = JSON.parse(called.stdout);
    assert.deepEqual(filter, { dataCenter: null, minCuda: "13.0" });
    assert.ok(types.length > 0);
    for (const { stock, cudaVersions } of types) {
      assert.deepEqual(
        cudaVersions.map(({ version }: { version: string }) => version),
        ["13.0"],
      );
      if (!cudaVersions[0].available) assert.equal(stock, "NONE");
    }
  });

  test("a data center that the catalog does not name is told on stderr, and is no error", async () => {
    const called = await call(["gpus", "--data-center", "US-XX-9"], { env: served.env });
    assert.equal(called.status, 0);
    assert.match(called.stderr, /^nothing is in stock in US-XX-9; data centers with stock are AP-JP-1, /);
    assert.ok(JSON.parse(called.stdout).types.every(({ stock }: { stock: string }) => stock === "NONE"));
  });

  test("a malformed CUDA version is refused before anything is read", async () => {
    const count = sandbox.requests.length;
    const called = await call(["gpus", "--min-cuda", "13"], { env: served.env });
    assert.equal(called.status, 2);
    assert.match(String(errorOf(called)["error"]), /expected major\.minor/);
    assert.equal(sandbox.requests.length, count);
  });
});
