import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLookClient } from "../../lib/api/client.ts";
import { payloadOf } from "../../lib/api/payload-error.ts";
import { systemClock } from "../../lib/clock.ts";
import { isReadbackError, ReadbackError } from "../../lib/errors.ts";
import { type WaitForJobParts, waitForJob } from "../../lib/wait/wait-for-job.ts";
import { type RawHandler, rawServer, reply } from "../api/_raw-server.ts";
import { targetAt } from "../api/_target.ts";

// The few that need real sockets and real time; each is short.

const IN_PROGRESS = '{"id":"j1","status":"IN_PROGRESS"}';
const silent: RawHandler = () => {};

describe("a wait against a server that hangs", () => {
  test("of 3 s ends within 4.5 s, holding and polling", async () => {
    await Promise.all(
      [true, false].map(async (hold) => {
        const { wait, tookMs } = await timed(silent, { budgetMs: 3_000, hold });
        assert.equal(wait?.error?.code, "wait_timeout");
        assert.equal(wait?.lastFailure?.code, "call_timeout");
        assert.ok(tookMs >= 2_950 && tookMs < 4_500, `${tookMs}`);
      }),
    );
  });

  test("of 2 s ends within half a second of it", async () => {
    const { tookMs } = await timed(silent, { budgetMs: 2_000 });
    assert.ok(tookMs >= 1_950 && tookMs < 2_500, `${tookMs}`);
  });

  test("of 100 ms ends within 1.5 s, and gives the server 1 s to answer", async () => {
    const { wait, tookMs } = await timed(silent, { budgetMs: 100 });
    assert.match(wait?.error?.message ?? "", /after 100ms;/);
    assert.ok(tookMs >= 950 && tookMs < 1_500, `${tookMs}`);
  });

  test("of 100 ms still gets an answer that takes 0.7 s", async () => {
    const slow: RawHandler = (_, socket) => {
      setTimeout(() => reply(socket, 200, '{"id":"j1","status":"COMPLETED"}'), 700);
    };
    assert.equal((await timed(slow, { budgetMs: 100 })).wait?.status, "COMPLETED");
  });

  test("that stalls within the body ends in time too", async () => {
    const stall: RawHandler = (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id"');
    };
    const { wait, tookMs } = await timed(stall, { budgetMs: 1_200 });
    assert.equal(wait?.error?.code, "wait_timeout");
    assert.ok(tookMs < 2_000, `${tookMs}`);
  });
});

describe("a server that answers 429 to everything for 5 s", () => {
  test("gets few requests, none before its Retry-After", async () => {
    const atMs: number[] = [];
    const busy: RawHandler = (_, socket) => {
      atMs.push(performance.now());
      reply(socket, 429, "{}", { "retry-after": "1" });
    };
    await timed(busy, { budgetMs: 3_000 });
    const gaps = atMs.slice(1).map((at, i) => at - (atMs[i] ?? 0));
    assert.ok(atMs.length <= 4, `${atMs.length}`);
    assert.ok(
      gaps.every((gap) => gap >= 990),
      gaps.join(),
    );
  });
});

describe("an abort", () => {
  test("reaches the request in flight at once, held or polled, and the job goes on", async () => {
    for (const hold of [true, false]) {
      const stop = new AbortController();
      let closed: Promise<unknown> = Promise.resolve();
      let posts = 0;
      const handler: RawHandler = (arrival, socket) => {
        if (arrival.method !== "GET") posts += 1;
        closed = new Promise((resolve) => socket.once("close", resolve));
        setTimeout(() => stop.abort(new ReadbackError("interrupted", "Interrupted by SIGINT")), 30);
      };
      const known = { text: IN_PROGRESS, status: "IN_PROGRESS" };
      const { error, tookMs } = await timed(handler, { hold, known, signal: stop.signal }, () => closed);
      assert.ok(isReadbackError(error, "interrupted"));
      assert.match(
        error.message,
        /^Interrupted by SIGINT; job j1 goes on.*readback serverless status ep1 j1$/,
      );
      assert.equal(error.followUp, "readback serverless status ep1 j1");
      assert.deepEqual([payloadOf(error), posts], [IN_PROGRESS, 0]);
      assert.ok(tookMs < 1_000, `${tookMs}`);
    }
  });

  test("ends a pause at once", async () => {
    const stop = new AbortController();
    const handler: RawHandler = (_, socket) => {
      reply(socket, 429, "{}", { "retry-after": "60" });
      setTimeout(() => stop.abort(), 50);
    };
    const { error, tookMs } = await timed(handler, { signal: stop.signal });
    assert.ok(isReadbackError(error, "interrupted") && tookMs < 1_000, `${tookMs}`);
  });
});

describe("a service that holds", () => {
  test("is waited for over one connection, and the end of the job is seen at once", async () => {
    let endedMs = 0;
    const paths: string[] = [];
    const handler: RawHandler = (arrival, socket) => {
      paths.push(arrival.path);
      setTimeout(() => {
        endedMs = performance.now();
        reply(socket, 200, '{"id":"j1","status":"COMPLETED","output":{"f":1.0}}');
      }, 1_100);
    };
    const { wait, endMs } = await timed(handler, { budgetMs: 60_000 });
    assert.deepEqual(paths, ["/invoke/v2/ep1/status-sync/j1?wait=4500"]);
    assert.equal(wait?.text, '{"id":"j1","status":"COMPLETED","output":{"f":1.0}}');
    assert.ok(endMs - endedMs < 250, `${endMs - endedMs}`);
  });

  test("that is reset is polled from then on", async () => {
    const paths: string[] = [];
    const handler: RawHandler = (arrival, socket) => {
      paths.push(arrival.path.replace("/invoke/v2/ep1", ""));
      if (arrival.path.includes("status-sync")) socket.resetAndDestroy();
      else reply(socket, 200, '{"status":"COMPLETED"}');
    };
    const { wait } = await timed(handler, { budgetMs: 20_000 });
    assert.equal(wait?.status, "COMPLETED");
    // Bun sends a GET again by itself when a reused connection closes; this one was fresh.
    assert.deepEqual(paths, ["/status-sync/j1?wait=4500", "/status/j1"]);
  });
});

async function timed(
  handler: RawHandler,
  given: Partial<WaitForJobParts>,
  before: () => Promise<unknown> = async () => {},
) {
  const server = await rawServer(handler);
  const startedMs = performance.now();
  try {
    const wait = await waitForJob({
      client: createLookClient(targetAt(server.url)),
      clock: systemClock,
      endpoint: "ep1",
      job: "j1",
      budgetMs: 60_000,
      signal: new AbortController().signal,
      ...given,
    }).catch((error: unknown) => error);
    const endMs = performance.now();
    await before();
    const failed = wait instanceof Error;
    return {
      wait: failed ? null : (wait as Awaited<ReturnType<typeof waitForJob>>),
      error: failed ? wait : null,
      tookMs: endMs - startedMs,
      endMs,
    };
  } finally {
    await server.close();
  }
}
