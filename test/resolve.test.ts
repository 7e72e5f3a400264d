import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLookClient, type LookClient } from "../lib/api/client.ts";
import { isReadbackError } from "../lib/errors.ts";
import { resolveEndpoint } from "../lib/resolve.ts";
import { createSandbox, type Sandbox } from "../lib/sandbox/mod.ts";

function open(change: (sandbox: Sandbox) => void = () => {}): { client: LookClient; paths: () => string[] } {
  const sandbox = createSandbox();
  change(sandbox);
  const { origin, key, clock } = sandbox;
  const target = {
    ...{ controlUrl: origin, invokeUrl: `${origin}/invoke/v2`, host: new URL(origin).host },
    ...{ key, readKey: key, keySource: "test", timeoutMs: 1000 },
  };
  const client = createLookClient(target, { clock, fetch: (request) => sandbox.fetch(request) });
  return { client, paths: () => sandbox.requests.map(({ path }) => path) };
}

/** A world in which one endpoint has another name. */
function renamed(id: string, name: string): (sandbox: Sandbox) => void {
  return ({ state }) => {
    const endpoint = state.endpoints.get(id);
    if (endpoint !== undefined) endpoint.name = name;
  };
}

describe("resolveEndpoint()", () => {
  test("reads an id with one request", async () => {
    const { client, paths } = open();
    const { id, text } = await resolveEndpoint(client, "4m7x2k9q");
    assert.deepEqual([id, JSON.parse(text).name], ["4m7x2k9q", "image-generator"]);
    assert.deepEqual(paths(), ["/v2/serverless/4m7x2k9q"]);
  });

  test("looks a name up in the list after a 404, and takes the endpoint as the list shows it", async () => {
    const { client, paths } = open();
    const { id, text } = await resolveEndpoint(client, "image-generator");
    assert.deepEqual([id, JSON.parse(text).id], ["4m7x2k9q", "4m7x2k9q"]);
    assert.deepEqual(paths(), ["/v2/serverless/image-generator", "/v2/serverless"]);
  });

  test("lets an id win over a name", async () => {
    const { client } = open(renamed("7c3v1n8p", "4m7x2k9q"));
    assert.equal((await resolveEndpoint(client, "4m7x2k9q")).id, "4m7x2k9q");
  });

  test("refuses a name that two endpoints bear, and names both ids", async () => {
    const { client } = open(renamed("7c3v1n8p", "image-generator"));
    await assert.rejects(resolveEndpoint(client, "image-generator"), (error) => {
      assert.ok(isReadbackError(error, "usage_error"));
      assert.match(error.message, /name of 2 endpoints.*: (4m7x2k9q, 7c3v1n8p|7c3v1n8p, 4m7x2k9q)$/);
      return true;
    });
  });

  test("tells near names and how many it searched when there is none", async () => {
    const { client } = open();
    for (const [given, near] of [
      ["image-generatr", "image-generator"],
      ["Transcriber", "transcriber"],
      ["chat", "chat-lb"],
      ["4m7x2k9p", "4m7x2k9q"],
    ]) {
      await assert.rejects(resolveEndpoint(client, given ?? ""), (error) => {
        assert.ok(isReadbackError(error, "not_found"));
        assert.ok(error.message.endsWith(`(searched 4 endpoints); near names: ${near}`), error.message);
        return true;
      });
    }
    await assert.rejects(resolveEndpoint(client, "zzz"), /by id or by name \(searched 4 endpoints\)$/);
  });

  test("says that a list which ends at a round number may be capped", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({ id: `id${i}`, name: `name${i}` }));
    const { client } = open(({ faults }) => {
      faults.add({ route: "listEndpoints", kind: "status", status: 200, body: { endpoints: rows } });
    });
    await assert.rejects(
      resolveEndpoint(client, "elsewhere"),
      /searched 400 endpoints, and the list may be capped: give its id/,
    );
  });

  test("passes other failures on: only a 404 means that it may be a name", async () => {
    const { client, paths } = open(({ faults }) => {
      faults.add({ route: "readEndpoint", kind: "status", status: 403 });
    });
    await assert.rejects(resolveEndpoint(client, "image-generator"), (error) =>
      isReadbackError(error, "forbidden"),
    );
    assert.equal(paths().length, 1);
  });
});
