import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { openWorkerLogs } from "../../lib/api/logs.ts";
import { createStreamClient } from "../../lib/api/stream-client.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { type RawHandler, type RawServer, rawServer, reply } from "./_raw-server.ts";
import { KEY, targetAt } from "./_target.ts";

let server: RawServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(handler: RawHandler): Promise<RawServer> {
  server = await rawServer(handler);
  return server;
}

const never = new AbortController().signal;
const of = { endpoint: "ep1", worker: "a/b ?" };

describe("a streamed look", () => {
  test("is sent once, over a connection of its own, when the connection ends without a reply", async () => {
    for (const end of ["destroy", "resetAndDestroy"] as const) {
      const { url, arrivals, close } = await serve((_, socket) => void socket[end]?.());
      const client = createStreamClient(targetAt(url));
      await assert.rejects(
        openWorkerLogs(client, of, {}, never),
        (error) => isReadbackError(error, "network_error") && error.retryable,
      );
      assert.equal(arrivals.length, 1);
      assert.equal(arrivals[0]?.path, "/v2/serverless/ep1/workers/a%2Fb%20%3F/logs");
      assert.equal(client.reads, 1);
      await close();
    }
  });

  test("follows no redirect, and shows the key nowhere", async () => {
    const other = await rawServer((_, socket) => reply(socket, 200));
    const { url } = await serve((_, socket) => reply(socket, 302, "", { location: `${other.url}/x` }));
    const failed = openWorkerLogs(createStreamClient(targetAt(url)), of, {}, never);
    await assert.rejects(failed, (error) => {
      assert.ok(isReadbackError(error, "api_error"));
      assert.match(error.message, /redirects to 127\.0\.0\.1/);
      assert.doesNotMatch(JSON.stringify(error), new RegExp(KEY));
      return true;
    });
    assert.equal(other.arrivals.length, 0);
    await other.close();
  });

  test("gives an error's reason, also when the service keeps the connection open", async () => {
    const { url } = await serve((_, socket) => {
      const text = '{"title":"Not Found","status":404,"detail":"resource not found"}';
      socket.write(`HTTP/1.1 404 Not Found\r\ncontent-length: ${text.length + 10}\r\n\r\n${text}`);
    });
    const failed = openWorkerLogs(createStreamClient(targetAt(url, { timeoutMs: 100 })), of, {}, never);
    await assert.rejects(
      failed,
      (error) => isReadbackError(error, "not_found") && /resource not found \(HTTP 404\)/.test(error.message),
    );
  });

  test("ends down to the socket when it is aborted, before the headers and in the body", async () => {
    for (const answers of [false, true]) {
      let closed = (): void => {};
      const isClosed = new Promise<void>((resolve) => {
        closed = resolve;
      });
      let arrived = (): void => {};
      const hasArrived = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const { url, close } = await serve((_, socket) => {
        socket.on("close", closed);
        if (answers) socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n");
        arrived();
      });
      const stop = new AbortController();
      const reading = readAll(url, stop.signal);
      await hasArrived;
      await new Promise((resolve) => setTimeout(resolve, 20)); // the first byte arrives
      stop.abort();
      await assert.rejects(reading, (error) => isReadbackError(error, "interrupted"));
      await isClosed;
      await close();
    }
  });

  test("is refused outside the route table, with an unusable key, and over plain http", async () => {
    const { url, arrivals } = await serve((_, socket) => reply(socket, 200));
    const options = { signal: never, what: "look" };
    const client = createStreamClient(targetAt(url));
    for (const path of ["/v2/pods", "/v2/serverless/ep1/workers/w1/logs/x"])
      await assert.rejects(client.open(path, options), (error) =>
        isReadbackError(error, "undeclared_mutation"),
      );
    const query = { ttl: "1" };
    await assert.rejects(client.open("/v2/serverless/ep1/workers/w1/logs", { ...options, query }), (error) =>
      isReadbackError(error, "undeclared_mutation"),
    );
    const keyless = createStreamClient(targetAt(url, { key: "", readKey: "" }));
    await assert.rejects(openWorkerLogs(keyless, of, {}, never), (error) =>
      isReadbackError(error, "no_credentials"),
    );
    assert.throws(
      () => createStreamClient(targetAt("http://example.com")),
      (error) => isReadbackError(error, "usage_error"),
    );
    assert.equal(arrivals.length, 0);
  });
});

async function readAll(url: string, signal: AbortSignal): Promise<void> {
  const stream = await openWorkerLogs(createStreamClient(targetAt(url)), of, {}, signal);
  for await (const _ of stream.body) void _;
}
