import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { workerTable } from "../../bin/commands/serverless-workers.ts";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { call, countingServer, errorOf } from "./_spawn.ts";

describe("serverless workers and releases", () => {
  let sandbox: Sandbox;
  let served: ServedSandbox;
  before(async () => {
    sandbox = createSandbox();
    served = await serve(sandbox);
  });
  after(() => served.close());

  for (const word of ["workers", "releases"]) {
    test(`${word} makes one GET for an id, and passes the document on`, async () => {
      const before = sandbox.requests.length;
      const { status, stdout } = await call(["serverless", word, "4m7x2k9q"], { env: served.env });
      assert.equal(status, 0);
      assert.ok(Array.isArray(JSON.parse(stdout)[word]));
      const sent = sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(sent, [`GET /v2/serverless/4m7x2k9q/${word}`]);
    });

    test(`${word} finds an endpoint by its name, and says so when there is none`, async () => {
      const found = await call(["serverless", word, "image-generator", "--json"], { env: served.env });
      assert.equal(found.status, 0, found.stderr);
      const none = await call(["serverless", word, "nothing"], { env: served.env });
      assert.equal(none.status, 1);
      assert.equal(errorOf(none)["code"], "not_found");
    });
  }

  test("mask the values of env in a release's diff unless asked not to", async () => {
    const diff = '[{"field":"template.env","old":null,"new":{"HF_TOKEN":"hf_secret"}}]';
    const server = await countingServer(
      `{"endpointVersion":4,"releases":[{"createdAt":"x","diff":${diff}}]}`,
    );
    try {
      const masked = await call(["serverless", "releases", "ep1"], { env: server.env });
      assert.doesNotMatch(masked.stdout, /hf_secret/);
      const shown = await call(["serverless", "releases", "ep1", "--show-secrets"], { env: server.env });
      assert.match(shown.stdout, /hf_secret/);
    } finally {
      await server.close();
    }
  });
});

test("the table of workers has a line a worker, says what is outdated, and closes with the counts", () => {
  const summary = { running: 1, idle: 1, total: 2 };
  const text = workerTable({
    endpointVersion: 4,
    summary,
    workers: [
      { id: "w1", status: "RUNNING", isStale: false, version: 4, gpuCount: 1, uptimeSeconds: 3_700 },
      {
        id: "w2",
        status: "IDLE",
        isStale: true,
        version: 3,
        gpuCount: 1,
        gpuTypeId: "NVIDIA \u001b[31mL40S",
      },
    ],
  });
  assert.equal(
    text,
    [
      "ID  STATUS   VERSION      GPU                  DATA CENTER  UP     IMAGE",
      "w1  RUNNING  4                                              1h 1m",
      "w2  IDLE     3, outdated  NVIDIA \\x1b[31mL40S",
      "",
      "1 running, 1 idle, 2 total",
    ].join("\n"),
  );
  assert.equal(workerTable({ summary: {}, workers: [] }), "No worker is up (0 workers)");
});
