import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { classify, type FailureKind } from "../../lib/api/failure.ts";
import { createWire, type WireRequest } from "../../lib/api/wire.ts";
import { closedPort, type RawHandler, rawServer, reply } from "./_raw-server.ts";
import { KEY } from "./_target.ts";

// The conformance suite: what leaves this process, counted on bare sockets, must be the same on every runtime.

const send = createWire();

const CHANGES: readonly (readonly ["PATCH" | "POST", string])[] = [
  ["PATCH", '{"workers":{"max":3}}'],
  ["PATCH", ""],
  ["POST", '{"input":{}}'],
  ["POST", ""],
];

describe("a change goes out once", () => {
  for (const [method, body] of CHANGES) {
    const name = `${method} with ${body === "" ? "an empty body" : "a body"}`;

    test(`${name} arrives once when a kept-alive connection closes without a reply`, async () => {
      const server = await rawServer((arrival, socket) => {
        if (arrival.method === "GET") reply(socket, 200);
        else socket.destroy();
      });
      try {
        for (let warm = 0; warm < 3; warm += 1) await exchange(server.url, {});
        await delay(5);
        await assert.rejects(exchange(server.url, { method, body }));
        await settle();
        assert.deepEqual(changes(server.arrivals), [`${method} ${body}`]);
      } finally {
        await server.close();
      }
    });

    test(`${name} arrives once when a kept-alive connection of an earlier change closes without a reply`, async () => {
      const server = await rawServer((_arrival, socket) => {
        if (changes(server.arrivals).length === 1) reply(socket, 200);
        else socket.destroy();
      });
      try {
        await exchange(server.url, { method, body });
        await assert.rejects(exchange(server.url, { method, body }));
        await settle();
        assert.equal(server.arrivals.length, 2);
      } finally {
        await server.close();
      }
    });

    test(`${name} arrives once when its connection is reset`, async () => {
      const server = await rawServer((_arrival, socket) => socket.resetAndDestroy());
      try {
        await assert.rejects(exchange(server.url, { method, body }));
        await settle();
        assert.equal(server.arrivals.length, 1);
      } finally {
        await server.close();
      }
    });

    test(`${name} carries Content-Length and its exact bytes`, async () => {
      const bytes = body === "" ? "" : body.replace("3", '3,"ü":"1.0 "');
      const server = await rawServer((_arrival, socket) => reply(socket, 200));
      try {
        await exchange(server.url, { method, body: bytes });
        const [arrival] = server.arrivals;
        assert.equal(arrival?.body, bytes);
        assert.equal(arrival?.headers["content-length"], `${Buffer.byteLength(bytes)}`);
        assert.equal(arrival?.headers["transfer-encoding"], undefined);
      } finally {
        await server.close();
      }
    });
  }
});

describe("a request has its own connection", () => {
  test("a change does not use a connection that waits from before, where the runtime lets us choose", async () => {
    const server = await rawServer((_arrival, socket) => reply(socket, 200));
    try {
      await exchange(server.url, {});
      await delay(5);
      await exchange(server.url, {});
      await delay(5);
      await exchange(server.url, { method: "PATCH", body: "{}" });
      const onNode = !("Deno" in globalThis) && !("Bun" in globalThis);
      // The reused GET shows that the suite above does meet kept-alive connections.
      assert.deepEqual(
        server.arrivals.map(({ reused }) => reused),
        [false, true, onNode],
      );
    } finally {
      await server.close();
    }
  });
});

describe("a proxy of the environment", () => {
  test("gets no loopback request (on Deno, where it would, loadTarget refuses)", async () => {
    const proxy = await rawServer((_arrival, socket) => reply(socket, 200));
    const server = await rawServer((_arrival, socket) => reply(socket, 200));
    const before = process.env["http_proxy"];
    if (!("Deno" in globalThis)) process.env["http_proxy"] = proxy.url;
    try {
      await exchange(server.url, {});
      await exchange(server.url, { method: "PATCH", body: "{}" });
      assert.deepEqual([proxy.arrivals.length, server.arrivals.length], [0, 2]);
    } finally {
      if (before === undefined) delete process.env["http_proxy"];
      else process.env["http_proxy"] = before;
      await Promise.all([proxy.close(), server.close()]);
    }
  });
});

interface Fault {
  readonly title: string;
  readonly handler: RawHandler;
  readonly kind: FailureKind;
  readonly reason: RegExp;
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const closed = /^the connection closed before the reply was complete$/;

const FAULTS: readonly Fault[] = [
  { title: "a reset before headers", handler: (_, s) => s.resetAndDestroy(), kind: "lost", reason: closed },
  { title: "a close before headers", handler: (_, s) => s.end(), kind: "lost", reason: closed },
  {
    title: "a cut body",
    handler: (_, s) => s.end(`${head}content-length: 100\r\n\r\n{"a":`),
    kind: "lost",
    reason: closed,
  },
  {
    title: "a cut chunked body",
    handler: (_, s) => s.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`),
    kind: "lost",
    reason: closed,
  },
  {
    title: "an answer that is not HTTP",
    handler: (_, s) => s.end("hello\r\n\r\n"),
    kind: "lost",
    reason: /./,
  },
];

describe("errors have one class on every runtime", () => {
  for (const method of ["GET", "PATCH"] as const) {
    for (const { title, handler, kind, reason } of FAULTS) {
      test(`${method}: ${title} is "${kind}"`, async () => {
        const server = await rawServer(handler);
        try {
          const failure = await failureOf(server.url, method);
          assert.equal(failure.kind, kind);
          assert.match(failure.reason, reason);
        } finally {
          await server.close();
        }
      });
    }

    test(`${method}: a refused connection is "not_sent"`, async () => {
      const failure = await failureOf(`http://127.0.0.1:${await closedPort()}`, method);
      assert.deepEqual(
        [failure.kind, failure.reason, failure.transient],
        ["not_sent", "connection refused", true],
      );
    });

    test(`${method}: a refused connection to a name with two addresses is "not_sent"`, async () => {
      const failure = await failureOf(`http://localhost:${await closedPort()}`, method);
      assert.deepEqual([failure.kind, failure.reason], ["not_sent", "connection refused"]);
    });

    test(`${method}: an unknown host name is "not_sent"`, async () => {
      const failure = await failureOf("http://readback.invalid", method);
      assert.equal(failure.kind, "not_sent");
      assert.match(failure.reason, /^host name not found/);
    });

    test(`${method}: withheld headers end with the signal`, async () => {
      await assertEndsWithSignal(method, () => {});
    });

    test(`${method}: a body that stalls after the headers ends with the signal`, async () => {
      await assertEndsWithSignal(method, (_, socket) =>
        socket.write(`${head}content-length: 100\r\n\r\n{"a":`),
      );
    });
  }

  test("a wrapped or unknown error counts as lost", () => {
    assert.equal(classify(new Error("odd"), []).kind, "lost");
    assert.equal(classify("odd", []).kind, "lost");
    assert.equal(classify(new TypeError("x", { cause: { code: "ECONNREFUSED" } }), []).kind, "lost");
  });

  test("the reason leaves out the wrapper of the HTTP library", () => {
    const wrapper = Object.assign(new Error(`[GET] "http://x/": <no response> odd`), { name: "FetchError" });
    wrapper.cause = new TypeError("odd");
    assert.equal(classify(wrapper, []).reason, "the connection failed (odd)");
  });

  test("an unreachable host counts as not sent only where connecting failed", () => {
    const unreachable = (syscall: string) => Object.assign(new Error("x"), { code: "EHOSTUNREACH", syscall });
    assert.equal(classify(unreachable("connect"), []).kind, "not_sent");
    assert.equal(classify(unreachable("read"), []).kind, "lost");
  });

  test("a certificate that is not accepted was not sent and is not transient", () => {
    const node = new TypeError("fetch failed", {
      cause: Object.assign(new Error("x"), { code: "CERT_HAS_EXPIRED" }),
    });
    const deno = new TypeError("client error (Connect): invalid peer certificate: UnknownIssuer");
    for (const error of [node, deno]) {
      assert.deepEqual([classify(error, []).kind, classify(error, []).transient], ["not_sent", false]);
    }
  });

  test("the text of an error never holds a key", () => {
    const failure = classify(new TypeError(`Invalid header value: "Bearer ${KEY}"`), [KEY]);
    assert.ok(!failure.reason.includes(KEY) && !failure.cause.message.includes(KEY));
  });
});

describe("replies", () => {
  const server = rawServer((arrival, socket) => {
    if (arrival.path === "/huge") reply(socket, 200, JSON.stringify("x".repeat(5_000_000)));
    else if (arrival.path === "/204") socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    else if (arrival.path === "/empty") reply(socket, 200, "");
    else if (arrival.path === "/html")
      reply(socket, 502, "<html>edge</html>", { "content-type": "text/html" });
    else if (arrival.path === "/elsewhere")
      reply(socket, 307, "", { location: `http://127.0.0.1:${arrival.headers["x-to"]}/` });
    else reply(socket, 200, '{"__proto__":1,"n":1.0}');
  });
  after(async () => (await server).close());
  const get = async (path: string, extra: Partial<WireRequest> = {}) =>
    exchange((await server).url, { ...extra, url: `${(await server).url}${path}` });

  test("a reply of 5 MB arrives whole", async () => {
    assert.equal((await get("/huge")).text.length, 5_000_002);
  });

  test("a body is given as text, untouched", async () => {
    assert.equal((await get("/plain")).text, '{"__proto__":1,"n":1.0}');
  });

  test("empty replies are empty texts", async () => {
    for (const path of ["/204", "/empty"]) {
      assert.equal((await get(path)).text, "");
      assert.equal((await get(path, { method: "PATCH", body: "{}" })).text, "");
    }
  });

  test("an error status is a reply", async () => {
    const { status, text } = await get("/html");
    assert.deepEqual([status, text], [502, "<html>edge</html>"]);
  });

  test("a redirect is a reply, and nothing arrives where it points to", async () => {
    const other = await rawServer((_arrival, socket) => reply(socket, 200));
    try {
      for (const method of ["GET", "PATCH", "POST"] as const) {
        const headers = { authorization: `Bearer ${KEY}`, "x-to": `${other.port}` };
        assert.equal((await get("/elsewhere", { method, headers })).status, 307);
      }
      await settle();
      assert.deepEqual(other.arrivals, []);
    } finally {
      await other.close();
    }
  });
});

describe("a handler in the process", () => {
  test("gets the same request and needs no socket", async () => {
    const seen: string[] = [];
    const inProcess = createWire(async (request) => {
      seen.push(`${request.method} ${request.url} ${request.headers.get("x-a")} ${await request.text()}`);
      return new Response("ok", { status: 201 });
    });
    const got = await inProcess({
      ...blank("http://readback.sandbox"),
      method: "PATCH",
      headers: { "x-a": "1" },
      body: "b",
    });
    assert.deepEqual([got.status, got.text], [201, "ok"]);
    assert.deepEqual(seen, ["PATCH http://readback.sandbox/v2/serverless 1 b"]);
  });

  test("ends with the signal although the handler does not listen to it", async () => {
    const stop = new AbortController();
    const hanging = createWire(() => new Promise(() => {}))({
      ...blank("http://readback.sandbox"),
      signal: stop.signal,
    });
    stop.abort(new Error("enough"));
    await assert.rejects(hanging, /enough/);
  });
});

function blank(base: string): WireRequest {
  const signal = new AbortController().signal;
  return { method: "GET", url: `${base}/v2/serverless`, headers: {}, body: "", signal };
}

function exchange(base: string, changes: Partial<WireRequest>) {
  return send({ ...blank(base), ...changes });
}

async function failureOf(url: string, method: "GET" | "PATCH") {
  try {
    await exchange(url, { method, body: method === "GET" ? "" : "{}" });
  } catch (thrown) {
    return classify(thrown, [KEY]);
  }
  return assert.fail("the request did not fail");
}

async function assertEndsWithSignal(method: "GET" | "PATCH", handler: RawHandler): Promise<void> {
  const stop = new AbortController();
  const server = await rawServer((arrival, socket) => {
    handler(arrival, socket);
    setTimeout(() => stop.abort(new Error("deadline")), 30);
  });
  try {
    const body = method === "GET" ? "" : "{}";
    await assert.rejects(exchange(server.url, { method, body, signal: stop.signal }), /deadline/);
    await settle();
    assert.equal(server.arrivals.length, 1);
  } finally {
    await server.close();
  }
}

function changes(arrivals: readonly { method: string; body: string }[]): string[] {
  return arrivals.filter(({ method }) => method !== "GET").map(({ method, body }) => `${method} ${body}`);
}

/** A silent re-send would arrive within milliseconds; loopback needs no more than this. */
async function settle(): Promise<void> {
  await delay(60);
}
