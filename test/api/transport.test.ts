import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTransport, type Send } from "../../lib/api/_transport.ts";
import type { RouteKind } from "../../lib/api/routes.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { testClock } from "./_clock.ts";
import { KEY, targetAt } from "./_target.ts";

const base = "http://readback.sandbox";

describe("the transport of a look client", () => {
  test("sends looks", async () => {
    const { send, sent } = transport(["look"]);
    await send({ method: "GET", url: `${base}/v2/serverless/ep1` });
    assert.deepEqual(sent, ["GET /v2/serverless/ep1"]);
  });

  test("cannot send a change, not even one of the route table", async () => {
    const { send, sent } = transport(["look"]);
    for (const method of ["PATCH", "POST"] as const) {
      await refused(send({ method, url: `${base}/v2/serverless/ep1`, body: "{}" }));
    }
    assert.deepEqual(sent, []);
  });
});

describe("the transport of a change client", () => {
  test("sends the changes of the route table and no others", async () => {
    const { send, sent } = transport(["look", "change"]);
    await send({ method: "PATCH", url: `${base}/v2/serverless/ep1`, body: "{}" });
    for (const url of [
      `${base}/v2/serverless`,
      `${base}/v2/serverless/ep1?x=1`,
      `${base}/v2/serverless/ep1#x`,
      `${base}/v2/serverless/../pods/p1`,
      `http://elsewhere.example/v2/serverless/ep1`,
      `${base}.example/v2/serverless/ep1`,
    ]) {
      await refused(send({ method: "PATCH", url, body: "{}" }));
    }
    assert.deepEqual(sent, ["PATCH /v2/serverless/ep1"]);
  });
});

function transport(kinds: readonly RouteKind[]) {
  const sent: string[] = [];
  const fetch = async (request: Request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json({});
  };
  const made = createTransport({ target: targetAt(base), kinds, clock: testClock(), fetch });
  const send = async (request: Pick<Send, "method" | "url"> & Partial<Send>) =>
    made.send({ body: "", key: KEY, attempt: 1, timeoutMs: 1_000, signals: [], ...request });
  return { send, sent };
}

async function refused(sending: Promise<unknown>): Promise<void> {
  await assert.rejects(sending, (error) => isReadbackError(error, "undeclared_mutation"));
}
