import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import { type LogsRequest, readLogs } from "../../lib/logs/read-logs.ts";
import type { WorkerLog } from "../../lib/logs/read-worker.ts";
import { testClock } from "../api/_clock.ts";
import { reply } from "../api/_raw-server.ts";
import { handClock, until } from "./_hand-clock.ts";
import {
  begin,
  drop,
  finish,
  frame,
  type LogServer,
  logServer,
  type Reading,
  reading,
  send,
} from "./_log-server.ts";

let server: LogServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

type OnLog = Parameters<typeof logServer>[0];

async function serve(onLog: OnLog, listed?: readonly string[]): Promise<string> {
  server = await logServer(onLog, listed);
  return server.url;
}

const T1 = "2026-08-06T17:43:01Z";
const T2 = "2026-08-06T17:43:02Z";

/** Reads until `count` lines came, lets it be quiet, and gives the result. */
async function snapshot(
  url: string,
  count: number,
  changes: Partial<LogsRequest> = {},
): Promise<Reading & { readonly result: readonly WorkerLog[] }> {
  const clock = handClock();
  const at = reading(url, clock, changes);
  const result = readLogs(at.request);
  await until(() => at.lines.length >= count, `${count} lines`);
  clock.advance(749);
  await new Promise((resolve) => setTimeout(resolve, 5));
  clock.advance(1);
  return { ...at, result: await result };
}

describe("a look at the logs", () => {
  test("ends after 750 ms of quiet, although the stream never does", async () => {
    const url = await serve((socket) => {
      begin(socket);
      send(socket, frame(T1, "one") + frame(T1, "two", "system"));
      send(socket, frame(T2, "three"));
    });
    const { lines, result } = await snapshot(url, 3);
    assert.deepEqual(lines, [
      { source: "container", line: "one", ts: T1, workerId: "w1" },
      { source: "system", line: "two", ts: T1, workerId: "w1" },
      { source: "container", line: "three", ts: T2, workerId: "w1" },
    ]);
    assert.deepEqual(result, [{ worker: "w1", lines: 3, ended: "quiet", error: null }]);
  });

  test("asks as the service wants it: both sources by no word, and no tail beside since", async () => {
    const url = await serve((socket) => {
      begin(socket);
      finish(socket);
    });
    for (const query of [
      {},
      { tail: 0, source: "system" as const },
      { tail: 5, since: T1 },
      { source: "container" as const },
    ])
      await readLogs(reading(url, handClock(), { query }).request);
    assert.deepEqual(
      server?.opened.map(({ path }) => path),
      [
        "/v2/serverless/ep1/workers/w1/logs",
        "/v2/serverless/ep1/workers/w1/logs?source=system&tail=0",
        "/v2/serverless/ep1/workers/w1/logs?since=2026-08-06T17%3A43%3A01Z",
        "/v2/serverless/ep1/workers/w1/logs?source=container",
      ],
    );
    const [first] = server?.opened ?? [];
    assert.equal(first?.headers["accept"], "text/event-stream");
    assert.match(first?.headers["authorization"] ?? "", /^Bearer rpa_/);
    assert.match(first?.headers["user-agent"] ?? "", /^readback\//);
    assert.equal(first?.headers["accept-encoding"], "identity");
    assert.equal(first?.headers["last-event-id"], undefined);
    assert.ok(
      server?.opened.every(({ reused }) => !reused),
      "a connection was used twice",
    );
  });

  test("is call_timeout where no headers come, and says that a quiet worker looks the same", async () => {
    const clock = handClock();
    const url = await serve(() => {});
    const at = reading(url, clock, { maxWaitMs: 2_000 });
    const result = readLogs(at.request);
    await until(() => server?.opened.length === 1);
    clock.advance(2_000);
    const [log] = await result;
    assert.equal(log?.ended, "failed");
    assert.ok(isReadbackError(log?.error, "call_timeout"));
    assert.match(
      log?.error?.message ?? "",
      /no answer within 2 s; a worker that has nothing to say looks the same/,
    );
    assert.equal(log?.error?.followUp, "readback serverless logs ep1 --worker w1 --follow");
  });

  test("is no failure where the headers came and no line did", async () => {
    const clock = handClock();
    const url = await serve((socket) => {
      begin(socket);
      send(socket, ": quiet\n\n");
    });
    const at = reading(url, clock);
    const result = readLogs(at.request);
    await until(() => clock.sleeping.includes(5_000) && server?.opened.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 30)); // the headers arrive
    clock.advance(5_000);
    assert.deepEqual(await result, [{ worker: "w1", lines: 0, ended: "max_wait", error: null }]);
  });

  test("hides no worker behind another that fails, and reads 40 with at most 32 connections at once", async () => {
    const workers = Array.from({ length: 40 }, (_, i) => `w${i}`);
    let open = 0;
    let most = 0;
    const url = await serve((socket, { worker }) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        if (worker === "w7") return reply(socket, 403, '{"detail":"access denied"}');
        begin(socket);
        send(socket, frame(T1, worker));
        finish(socket);
      }, 20);
    }, workers);
    const at = reading(url, handClock());
    const result = await readLogs(at.request);
    assert.deepEqual(
      result.map(({ worker }) => worker),
      workers,
    );
    assert.equal(at.lines.length, 39);
    assert.equal(result[7]?.error?.code, "forbidden");
    assert.ok(most > 4 && most <= 32, `${most} at once`);
  });

  test("of an endpoint without workers is a conflict", async () => {
    const url = await serve(() => {}, []);
    await assert.rejects(readLogs(reading(url, handClock()).request), (error) =>
      isReadbackError(error, "conflict"),
    );
  });

  test("tries again after 503, and by the cursor after a lost connection", async () => {
    const url = await serve((socket, { n }) => {
      if (n === 1) return reply(socket, 503, "{}");
      begin(socket);
      if (n === 2) {
        send(socket, `${frame(T1, "a")}id: ${T2}\nda`);
        return drop(socket);
      }
      send(socket, frame(T2, "b"));
      finish(socket);
    });
    const at = reading(url, testClockWithoutEnd());
    assert.deepEqual(await readLogs(at.request), [{ worker: "w1", lines: 2, ended: "closed", error: null }]);
    assert.deepEqual(
      at.lines.map(({ line }) => line),
      ["a", "b"],
    );
  });

  test("takes the JSON document that came in place of a stream, and fails loudly on anything else", async () => {
    const bodies = [
      '{"container":["2026-07-06T22:04:13Z hello","no stamp"],"system":[]}',
      '{"logs":"none"}',
      "<html>busy</html>",
    ];
    const url = await serve((socket, { n }) => {
      begin(socket);
      send(socket, bodies[n - 1] ?? "");
      finish(socket);
    });
    const at = reading(url, handClock());
    await readLogs(at.request);
    assert.deepEqual(at.lines, [
      { source: "container", line: "hello", ts: "2026-07-06T22:04:13Z", workerId: "w1" },
      { source: "container", line: "no stamp", ts: null, workerId: "w1" },
    ]);
    for (const _ of [1, 2]) {
      const [log] = await readLogs(at.request);
      assert.match(log?.error?.message ?? "", /unexpected log format/);
      assert.equal(log?.error?.code, "api_error");
    }
  });

  test("keeps lines whole over every cut of a character, and what is no line as it came", async () => {
    const text = `${frame(T1, "é🚀")}id: ${T2}\ndata: not json\n\ndata: [1]\n\ndata: {"source":"system","line":"end"}`;
    const bytes = new TextEncoder().encode(text);
    const url = await serve((socket) => {
      begin(socket);
      for (const byte of bytes) send(socket, new Uint8Array([byte]));
      finish(socket);
    });
    const at = reading(url, handClock());
    await readLogs(at.request);
    assert.deepEqual(at.lines, [
      { source: "container", line: "é🚀", ts: T1, workerId: "w1" },
      { source: null, line: "not json", ts: T2, workerId: "w1", raw: "not json" },
      { source: null, line: "[1]", ts: null, workerId: "w1", raw: "[1]" },
      { source: "system", line: "end", ts: null, workerId: "w1" },
    ]);
  });

  test("cuts a giant line and marks it, without losing the next", async () => {
    const url = await serve((socket) => {
      begin(socket);
      send(socket, frame(T1, '\\"'.repeat(2_500_000)));
      send(socket, frame(T2, "small"));
      finish(socket);
    });
    const at = reading(url, handClock());
    await readLogs(at.request);
    const [giant, small] = at.lines;
    assert.equal(giant?.truncated, true);
    assert.equal(giant?.source, "container");
    assert.equal(giant?.ts, T1);
    assert.match(giant?.line ?? "", /^(\\")+\\?$/);
    assert.ok((giant?.line.length ?? 0) > 200_000 && (giant?.line.length ?? 0) <= 1_048_576);
    assert.deepEqual(small, { source: "container", line: "small", ts: T2, workerId: "w1" });
  });

  test("ends at once when it is interrupted, before the headers and after them", async () => {
    for (const answers of [false, true]) {
      const url = await serve((socket) => {
        if (!answers) return;
        begin(socket);
        send(socket, frame(T1, "one"));
      });
      const at = reading(url, handClock());
      const result = readLogs(at.request);
      await until(() => (answers ? at.lines.length === 1 : server?.opened.length === 1));
      at.stop.abort();
      await assert.rejects(result, (error) => isReadbackError(error, "interrupted"));
      await server?.close();
    }
  });
});

/** Waits for a retry pass at once; the end of the look does not come. */
function testClockWithoutEnd() {
  const clock = testClock();
  return {
    ...clock,
    sleep: (ms: number, signal?: AbortSignal) =>
      ms <= 600 ? clock.sleep(ms, signal) : new Promise<void>(() => {}),
  };
}
