import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ChangeClient,
  createChangeClient,
  createConsumeClient,
  createLookClient,
} from "../../lib/api/client.ts";
import { createGate, type PreparedChange } from "../../lib/api/gate.ts";
import {
  health,
  holdStatus,
  prepareCancel,
  preparePurge,
  prepareRetry,
  prepareRun,
  readStatus,
  readStream,
} from "../../lib/api/invoke.ts";
import { matchRoute } from "../../lib/api/routes.ts";
import { submitJob } from "../../lib/api/submit.ts";
import { isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import type { Target } from "../../lib/target.ts";
import { testClock } from "./_clock.ts";
import { closedPort, type RawHandler, type RawServer, rawServer, reply } from "./_raw-server.ts";
import { KEY, targetAt } from "./_target.ts";

const FIDELITY = '{"seed":18446744073709551615,"f":1.0,"gpuTypeId":"x","__proto__":{"a":1}}';
const QUEUED = '{"id":"j1-u1","status":"IN_QUEUE"}';

const PREPARE: Readonly<Record<string, (target: Target) => PreparedChange>> = {
  run: (target) => prepareRun(target, "ep1", `{"input":${FIDELITY}}`),
  cancel: (target) => prepareCancel(target, "ep1", "j1"),
  retry: (target) => prepareRetry(target, "ep1", "j1"),
  purge: (target) => preparePurge(target, "ep1"),
};

describe("the requests of the invoke plane", () => {
  test("are what the service has, and go to its plane with the key", async () => {
    await serving(
      (_, socket) => reply(socket, 200, '{"id":"j1","status":"IN_QUEUE","stream":[]}'),
      async (server) => {
        const target = targetAt(server.url);
        const client = createConsumeClient(target);
        await health(client, "ep1");
        await readStatus(client, "ep1", "j1");
        await holdStatus(client, "ep1", "j1", { waitMs: 25_000.7 });
        await readStream(client, "ep1", "j1");
        await readStream(client, "ep1", "j1", { waitMs: 10 });
        for (const prepare of Object.values(PREPARE)) await sendChange(target, prepare(target));
        assert.deepEqual(
          server.arrivals.map(({ method, path }) => `${method} ${path.replace("/invoke/v2/ep1", "")}`),
          [
            "GET /health",
            "GET /status/j1",
            "GET /status-sync/j1?wait=25000",
            "GET /stream/j1",
            "GET /stream/j1?wait=1000",
            "POST /run",
            "POST /cancel/j1",
            "POST /retry/j1",
            "POST /purge-queue",
          ],
        );
        for (const { headers } of server.arrivals) assert.equal(headers["authorization"], `Bearer ${KEY}`);
      },
    );
  });

  test("percent-encode ids, and refuse those that would change the path", async () => {
    const { path } = await only((client) => readStatus(client, "a/b", "ü?#"));
    assert.equal(path, "/invoke/v2/a%2Fb/status/%C3%BC%3F%23");
    const target = targetAt("http://127.0.0.1:1");
    const client = createConsumeClient(target);
    for (const id of ["", " ", ".", ".."]) {
      await usage(() => health(client, id));
      await usage(() => readStatus(client, "ep1", id));
      await usage(() => holdStatus(client, id, "j1", { waitMs: 1_000 }));
      await usage(() => readStream(client, "ep1", id));
      await usage(async () => prepareRun(target, id, "{}"));
      await usage(async () => prepareCancel(target, "ep1", id));
      await usage(async () => prepareRetry(target, id, "j1"));
      await usage(async () => preparePurge(target, id));
    }
  });

  test("need their own scope each, whatever the body", () => {
    const target = targetAt("http://127.0.0.1:1");
    for (const [scope, prepare] of Object.entries(PREPARE)) {
      const { route } = prepare(target);
      assert.deepEqual(
        [route.kind, route.plane, route.scopes({ workers: {} })],
        ["change", "invoke", [scope]],
      );
    }
  });

  test("never carry a ttl, and runsync is not among them", async () => {
    await serving(
      (_, socket) => reply(socket, 200),
      async (server) => {
        const client = createLookClient(targetAt(server.url));
        for (const query of [{ ttl: "1" }, { wait: "1000" }]) {
          await assert.rejects(client.look("/ep1/status/j1", { plane: "invoke", query }), /Refused before/);
        }
        assert.equal(matchRoute("invoke", "POST", "/ep1/runsync"), null);
        assert.equal(server.arrivals.length, 0);
      },
    );
  });
});

describe("what a client may do on the invoke plane", () => {
  test("a look client can neither change nor consume, a consuming one cannot change", async () => {
    await serving(
      (_, socket) => reply(socket, 200),
      async (server) => {
        const target = targetAt(server.url);
        const looks = createLookClient(target);
        assert.ok(
          !("consume" in looks) && !("change" in looks) && !("change" in createConsumeClient(target)),
        );
        await assert.rejects(looks.look("/ep1/stream/j1", { plane: "invoke" }), /Refused before/);
        await assert.rejects(createConsumeClient(target).consume("/ep1/status/j1"), /Refused before/);
        assert.equal(server.arrivals.length, 0);
      },
    );
  });
});

describe("health()", () => {
  test("passes the body on as it came", async () => {
    const body = '{ "jobs": {"completed":18446744073709551615, "x": 1.0} }\n';
    await serving(
      (_, socket) => reply(socket, 200, body),
      async (server) => {
        assert.equal((await health(createLookClient(targetAt(server.url)), "ep1")).text, body);
      },
    );
  });

  test("is api_error for a success that is no JSON, without showing it", async () => {
    for (const body of ["<html>secret</html>", "", '{"jobs":']) {
      const error = await failing(
        (_, socket) => reply(socket, 200, body, { "content-type": "text/html" }),
        health1,
      );
      assert.equal(error.code, "api_error");
      assert.match(error.message, /^Cannot read the health of endpoint "ep1": .*instead of JSON$/);
      assert.ok(!error.message.includes("secret"));
    }
  });

  test("does not take a 404 for proof that the endpoint does not exist", async () => {
    const error = await failing((_, socket) => reply(socket, 404, '{"error":"endpoint not found"}'), health1);
    assert.deepEqual([error.code, error.status], ["not_found", 404]);
    assert.match(error.message, /endpoint not found.*health does not decide whether an endpoint exists/);
    assert.equal(error.followUp, "readback serverless get ep1");
  });

  test("has the deadline it was given, and not a shorter one", async () => {
    const startedMs = performance.now();
    const error = await failing(
      () => {},
      (client) => health(client, "ep1", { timeoutMs: 200, attempts: 1 }),
    );
    const tookMs = performance.now() - startedMs;
    assert.equal(error.code, "call_timeout");
    assert.ok(tookMs >= 195 && tookMs < 800, `${tookMs}`);
  });
});

describe("each change of the invoke plane arrives once", () => {
  for (const [name, prepare] of Object.entries(PREPARE)) {
    for (const [fault, handler] of [
      ["closes without a reply", (_, socket) => socket.destroy()],
      ["is reset", (_, socket) => socket.resetAndDestroy()],
      ["answers 500", (_, socket) => reply(socket, 500)],
      ["answers 502 with HTML", (_, socket) => reply(socket, 502, "<html>")],
    ] as readonly (readonly [string, RawHandler])[]) {
      test(`${name}, when a connection that was used before ${fault}`, async () => {
        const once: RawHandler = (arrival, socket) => {
          if (arrival.method === "GET") reply(socket, 200);
          else handler(arrival, socket);
        };
        await serving(once, async (server) => {
          const target = targetAt(server.url);
          for (let warm = 0; warm < 3; warm += 1) await health(createLookClient(target), "ep1");
          await delay(5);
          const error = await rejection(sendChange(target, prepare(target)));
          await delay(60);
          const posts = server.arrivals.filter(({ method }) => method === "POST");
          assert.deepEqual(
            posts.map(({ body }) => body),
            [prepare(target).body],
          );
          assert.equal(posts[0]?.headers["content-length"], `${Buffer.byteLength(prepare(target).body)}`);
          assert.deepEqual([error.retryable, error.details["submitted"]], [false, "unknown"]);
        });
      });
    }
  }
});

describe("readStream()", () => {
  for (const [fault, handler] of [
    ["closes without a reply", (_, socket) => socket.destroy()],
    ["is reset", (_, socket) => socket.resetAndDestroy()],
    ["answers 502", (_, socket) => reply(socket, 502, "<html>")],
  ] as readonly (readonly [string, RawHandler])[]) {
    test(`is not sent again, by no runtime and not by us, when a used connection ${fault}`, async () => {
      const once: RawHandler = (arrival, socket) => {
        if (arrival.path.includes("/health")) reply(socket, 200);
        else handler(arrival, socket);
      };
      await serving(once, async (server) => {
        const client = createConsumeClient(targetAt(server.url));
        for (let warm = 0; warm < 3; warm += 1) await health(client, "ep1");
        await delay(5);
        const error = await rejection(readStream(client, "ep1", "j1"));
        await delay(60);
        assert.equal(server.arrivals.filter(({ path }) => path.includes("/stream/")).length, 1);
        assert.match(error.message, /what it took away may be lost, and it is not sent again$/);
        assert.deepEqual([error.retryable, error.details], [false, {}]);
      });
    });
  }

  test("is sent again after 429 and after a refused connection, which took nothing away", async () => {
    let count = 0;
    const handler: RawHandler = (_, socket) => {
      count += 1;
      if (count === 1) reply(socket, 429);
      else reply(socket, 200, '{"status":"COMPLETED","stream":[]}');
    };
    await serving(handler, async (server) => {
      const client = createConsumeClient(targetAt(server.url), { clock: testClock() });
      await readStream(client, "ep1", "j1");
      assert.equal(count, 2);
    });
    const clock = testClock();
    const nowhere = createConsumeClient(targetAt(`http://127.0.0.1:${await closedPort()}`), { clock });
    const error = await rejection(readStream(nowhere, "ep1", "j1"));
    assert.deepEqual([error.code, error.retryable, clock.sleeps.length], ["network_error", true, 3]);
  });

  test("gives a 4xx as what it is", async () => {
    const error = await failing(
      (_, socket) => reply(socket, 404, '{"error":"job not found"}'),
      (client) => readStream(client, "ep1", "j1"),
    );
    assert.deepEqual([error.code, error.message.startsWith("Cannot read the stream")], ["not_found", true]);
  });
});

describe("a submit", () => {
  test("carries the bytes of the input, and the job's id is taken from its reply", async () => {
    await serving(
      (_, socket) => reply(socket, 200, QUEUED),
      async (server) => {
        const sent = await submit(server.url);
        assert.deepEqual(sent, { job: "j1-u1", status: "IN_QUEUE", text: QUEUED });
        assert.equal(server.arrivals[0]?.body, `{"input":${FIDELITY}}`);
      },
    );
  });

  test("without an answer leaves the job id unknown, says so, and is never sent again", async () => {
    for (const [handler, code] of [
      [() => {}, "call_timeout"],
      [(_, socket) => socket.resetAndDestroy(), "network_error"],
      [(_, socket) => reply(socket, 500, "{}"), "server_error"],
      [(_, socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), "network_error"],
    ] as readonly (readonly [RawHandler, string])[]) {
      await serving(handler, async (server) => {
        const error = await rejection(submit(server.url, { timeoutMs: 150 }));
        await delay(40);
        assert.deepEqual([error.code, error.retryable, server.arrivals.length], [code, false, 1]);
        assert.deepEqual(error.details, { submitted: "unknown", endpoint: "ep1" });
        assert.match(error.message, /the job id is unknown.*must not be repeated blindly/);
        assert.equal(error.followUp, "readback serverless health ep1");
      });
    }
  });

  test("that a person interrupts leaves the job id unknown too", async () => {
    const stop = new AbortController();
    await serving(
      () => stop.abort(),
      async (server) => {
        const error = await rejection(submit(server.url, { signal: stop.signal }));
        assert.deepEqual([error.code, error.details["submitted"]], ["interrupted", "unknown"]);
        assert.match(error.message, /the job id is unknown/);
      },
    );
  });

  test("is sent again after 429 and after a refused connection, and after nothing else", async () => {
    let count = 0;
    const busy: RawHandler = (_, socket) => {
      count += 1;
      if (count < 3) reply(socket, 429);
      else reply(socket, 200, QUEUED);
    };
    await serving(busy, async (server) => {
      assert.equal((await submit(server.url)).job, "j1-u1");
      assert.equal(count, 3);
    });
    const error = await rejection(submit(`http://127.0.0.1:${await closedPort()}`));
    assert.deepEqual([error.code, error.retryable, error.details], ["network_error", true, {}]);
    for (const status of [400, 401, 403, 404, 409, 422]) {
      await serving(
        (_, socket) => reply(socket, status),
        async (server) => {
          const refused = await rejection(submit(server.url));
          assert.deepEqual([server.arrivals.length, refused.details["submitted"]], [1, undefined]);
        },
      );
    }
  });

  test("whose answer has no id is api_error with the payload, which is in no error object", async () => {
    const { payloadOf } = await import("../../lib/api/payload-error.ts");
    for (const body of [
      '{"status":"IN_QUEUE"}',
      '{"error":"SECRET"}',
      '{"id":"","status":"IN_QUEUE"}',
      "[1]",
    ]) {
      await serving(
        (_, socket) => reply(socket, 200, body),
        async (server) => {
          const error = await rejection(submit(server.url));
          assert.deepEqual([error.code, error.retryable, payloadOf(error)], ["api_error", false, body]);
          assert.ok(
            !`${error.message} ${JSON.stringify(error)} ${JSON.stringify(error.details)}`.includes("SECRET"),
          );
          assert.equal(payloadOf(new Error("around", { cause: error })), body);
        },
      );
    }
    await serving(
      (_, socket) => reply(socket, 200, "<html>"),
      async (server) => {
        const error = await rejection(submit(server.url));
        assert.deepEqual([error.code, payloadOf(error)], ["api_error", null]);
      },
    );
  });
});

const health1 = (client: Parameters<typeof health>[0]) => health(client, "ep1");

async function submit(url: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const target = targetAt(url);
  const { client, permit, change } = changing(target, PREPARE["run"]?.(target));
  return await submitJob(client, change, permit, { endpoint: "ep1", ...options });
}

async function sendChange(target: Target, change: PreparedChange) {
  const made = changing(target, change);
  return await made.client.change(change, made.permit);
}

function changing(target: Target, change: PreparedChange | undefined) {
  assert.ok(change);
  const gate = createGate();
  const client: ChangeClient = createChangeClient(target, gate, { clock: testClock() });
  return { client, change, permit: gate.permit(change) };
}

async function serving(handler: RawHandler, work: (server: RawServer) => Promise<void>): Promise<void> {
  const server = await rawServer(handler);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

async function only(call: (client: ReturnType<typeof createConsumeClient>) => Promise<unknown>) {
  let path = "";
  await serving(
    (_, socket) => reply(socket, 200, QUEUED),
    async (server) => {
      await call(createConsumeClient(targetAt(server.url)));
      path = server.arrivals[0]?.path ?? "";
    },
  );
  return { path };
}

async function failing(
  handler: RawHandler,
  call: (client: ReturnType<typeof createConsumeClient>) => Promise<unknown>,
): Promise<ReadbackError> {
  let error: ReadbackError | undefined;
  await serving(handler, async (server) => {
    error = await rejection(call(createConsumeClient(targetAt(server.url), { clock: testClock() })));
  });
  assert.ok(error);
  return error;
}

async function rejection(work: Promise<unknown>): Promise<ReadbackError> {
  try {
    await work;
  } catch (error) {
    assert.ok(isReadbackError(error), String(error));
    return error;
  }
  return assert.fail("it did not fail");
}

async function usage(act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error) => isReadbackError(error, "usage_error"));
}
