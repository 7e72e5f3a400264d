import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLookClient } from "../../lib/api/client.ts";
import {
  listEndpoints,
  listGpuTypes,
  listReleases,
  mayBePartial,
  preparePatch,
  readEndpoint,
} from "../../lib/api/control.ts";
import { replyDocument } from "../../lib/api/document.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { targetAt } from "./_target.ts";

const target = targetAt("http://readback.sandbox");

describe("control plane requests", () => {
  test("have these addresses", async () => {
    const seen: string[] = [];
    const fetch = async (request: Request) => {
      seen.push(`${request.method} ${request.url.slice(target.controlUrl.length)}`);
      return Response.json({});
    };
    const client = createLookClient(target, { fetch });
    await readEndpoint(client, "ep1");
    await readEndpoint(client, "a/b ?#%2e");
    await listEndpoints(client);
    await listGpuTypes(client);
    await listReleases(client, "ep1");
    assert.deepEqual(seen, [
      "GET /v2/serverless/ep1",
      "GET /v2/serverless/a%2Fb%20%3F%23%252e",
      "GET /v2/serverless",
      "GET /v2/catalog/gpus?include=AVAILABILITY&product=SERVERLESS",
      "GET /v2/serverless/ep1/releases",
    ]);
    assert.equal(client.reads, 5);
  });

  test("refuse ids that would change the path, before anything is sent", async () => {
    const client = createLookClient(target, { fetch: () => assert.fail("sent") });
    for (const id of ["", " ", ".", "..", "\ud800"]) {
      await assert.rejects(readEndpoint(client, id), (error) => isReadbackError(error, "usage_error"));
      assert.throws(
        () => preparePatch(target, id, {}),
        (error) => isReadbackError(error, "usage_error"),
      );
    }
  });

  test("preparePatch() gives the exact bytes and the route", () => {
    const { method, url, body, route } = preparePatch(target, "ep1", {
      gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] },
    });
    assert.deepEqual([method, url], ["PATCH", "http://readback.sandbox/v2/serverless/ep1"]);
    assert.equal(body, '{"gpu":{"pools":["ADA_48_PRO"],"excludedTypes":["NVIDIA L40"]}}');
    assert.deepEqual([route.name, route.scopes(JSON.parse(body))], ["patchEndpoint", ["patch:gpu"]]);
  });
});

describe("mayBePartial()", () => {
  test("is true for any sign of a further page", () => {
    for (const extra of [
      { nextCursor: "abc" },
      { next: "https://x" },
      { hasMore: true },
      { pagination: { next_page_token: "x" } },
      { meta: { total: 2 } },
      { totalCount: 9 },
    ]) {
      assert.equal(mayBePartial({ endpoints: [{}], ...extra }), true, JSON.stringify(extra));
    }
  });

  test("is false without one", () => {
    for (const extra of [
      {},
      { nextCursor: null },
      { next: "" },
      { hasMore: false },
      { total: 1 },
      { page: { total: 1 } },
    ]) {
      assert.equal(mayBePartial({ endpoints: [{}], ...extra }), false, JSON.stringify(extra));
    }
    assert.equal(mayBePartial([]), false);
  });
});

describe("replyDocument()", () => {
  const reply = (text: string, type = "application/json") => ({
    status: 200,
    headers: new Headers({ "content-type": type }),
    text,
  });

  test("parses, and keeps numbers where asked to", () => {
    assert.deepEqual(replyDocument(reply('{"a":1.0}'), "read it"), { a: 1 });
    assert.equal(
      JSON.stringify(replyDocument(reply('{"a":1.0}'), "read it", { lossless: true })),
      '{"a":1.0}',
    );
  });

  test("says what came instead of JSON and does not show it", () => {
    for (const [text, type, words] of [
      ["", "application/json", /is an empty body instead of JSON/],
      ["<html>secret", "text/html; charset=utf-8", /is an HTML page \(12 characters\) instead of JSON/],
      ['{"secret', "application/json", /is application\/json \(8 characters\)/],
    ] as const) {
      assert.throws(
        () => replyDocument(reply(text, type), 'read endpoint "ep1"'),
        (error) =>
          isReadbackError(error, "api_error") &&
          words.test(error.message) &&
          !error.message.includes("secret"),
      );
    }
  });
});
