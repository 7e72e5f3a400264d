import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import { followLogs } from "../../lib/logs/follow-logs.ts";
import { testClock } from "../api/_clock.ts";
import { reply } from "../api/_raw-server.ts";
import { handClock, until } from "./_hand-clock.ts";
import { begin, drop, finish, frame, type LogServer, logServer, reading, send } from "./_log-server.ts";

let server: LogServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(onLog: Parameters<typeof logServer>[0], listed?: readonly string[]): Promise<LogServer> {
  server = await logServer(onLog, listed);
  return server;
}

const T1 = "2026-08-06T17:43:01Z";
const T2 = "2026-08-06T17:43:02Z";
const T3 = "2026-08-06T17:43:03Z";
const NAMED = { workers: ["w1"], query: { tail: 5 } };

describe("following one worker", () => {
  test("goes on by the cursor without a tail, and gives t1, t2, t2b, t3 once each", async () => {
    const { url, opened } = await serve((socket, { n }) => {
      if (n === 3) return reply(socket, 404, "{}");
      begin(socket);
      send(
        socket,
        n === 1 ? frame(T1, "t1") + frame(T2, "t2") : frame(T2, "t2") + frame(T2, "t2b") + frame(T3, "t3"),
      );
      drop(socket);
    });
    const at = reading(url, testClock(), NAMED);
    const [log] = await followLogs(at.request);
    assert.equal(log?.ended, "gone");
    assert.deepEqual(
      at.lines.map(({ line }) => line),
      ["t1", "t2", "t2b", "t3"],
    );
    assert.match(opened[0]?.path ?? "", /logs\?tail=5$/);
    assert.doesNotMatch(opened[1]?.path ?? "", /tail/);
    assert.match(opened[1]?.path ?? "", /since=2026-08-06T17%3A43%3A02Z/);
    assert.equal(opened[1]?.headers["last-event-id"], T1);
    assert.deepEqual(
      at.notes.filter((note) => /gone/.test(note)),
      ["worker w1 is gone"],
    );
    assert.match(at.notes[0] ?? "", /going on where it ended/);
  });

  test("gives each line once over a reset every 2 s for a minute, lines of one second among them", async () => {
    // A service with an exclusive cursor; it loses the connection after every 2 s of its time, between siblings too.
    const all = Array.from({ length: 60 }, (_, second) =>
      ["create", "start", "step", "step"].map((text, i): [string, string] => [
        i < 2
          ? `2026-08-06T17:43:${String(second).padStart(2, "0")}Z`
          : `2026-08-06T17:43:${String(second).padStart(2, "0")}.${i}79039264Z`,
        i < 2 ? `${text}` : `${text} ${second}`,
      ]),
    ).flat();
    let shown = 0;
    const { url } = await serve((socket, { arrival }) => {
      const cursor = arrival.headers["last-event-id"];
      const since = new URL(arrival.path, "http://x").searchParams.get("since");
      const from = all.filter(([ts]) =>
        cursor !== undefined
          ? instant(ts) > instant(cursor)
          : since === null || instant(ts) >= instant(since),
      );
      shown = Math.min(all.length, shown + 7);
      const upTo = all.slice(0, shown);
      begin(socket);
      send(
        socket,
        from
          .filter((entry) => upTo.includes(entry))
          .map(([ts, text]) => frame(ts, text))
          .join(""),
      );
      drop(socket);
    });
    const at = reading(url, testClock(), NAMED);
    const result = followLogs(at.request);
    await until(() => at.lines.length >= all.length, "all lines");
    at.stop.abort();
    await assert.rejects(result, (error) => isReadbackError(error, "interrupted"));
    assert.deepEqual(
      at.lines.map(({ ts, line }) => [ts, line]),
      all,
    );
  });

  test("waits on where no headers come", async () => {
    const clock = handClock();
    const { url, opened } = await serve((socket, { n }) => {
      setTimeout(() => {
        begin(socket);
        send(socket, frame(T1, `late ${n}`));
      }, 50);
    });
    const at = reading(url, clock, NAMED);
    const result = followLogs(at.request);
    await until(() => opened.length === 1);
    clock.advance(3_600_000);
    await until(() => at.lines.length === 1);
    at.stop.abort();
    await assert.rejects(result);
    assert.equal(opened.length, 1);
  });

  test("slows down for a service that ends each stream at once, and gives up with a message", async () => {
    const clock = testClock();
    const { url, opened } = await serve((socket) => {
      begin(socket);
      finish(socket);
    });
    const [log] = await followLogs(reading(url, clock, NAMED).request);
    assert.equal(opened.length, 8);
    assert.deepEqual(clock.sleeps, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    assert.equal(log?.error?.code, "network_error");
    assert.match(log?.error?.message ?? "", /Gave up on the log of worker "w1" after 8 connections in a row/);
  });

  test("ends at once on 401, without a loop", async () => {
    const { url, opened } = await serve((socket) => reply(socket, 401, '{"detail":"missing bearer token"}'));
    const [log] = await followLogs(reading(url, testClock(), NAMED).request);
    assert.equal(log?.error?.code, "unauthorized");
    assert.equal(opened.length, 1);
  });

  test("waits as long as a 429 asks", async () => {
    const clock = testClock();
    const { url } = await serve((socket, { n }) =>
      n === 1 ? reply(socket, 429, "{}", { "retry-after": "7" }) : reply(socket, 404, "{}"),
    );
    await followLogs(reading(url, clock, NAMED).request);
    assert.ok(
      clock.sleeps.some((ms) => ms >= 7_000),
      `${clock.sleeps}`,
    );
  });
});

describe("following all workers", () => {
  test("picks up a new one, and notes once that another is gone", async () => {
    const clock = handClock();
    const made = await serve((socket, { worker, n }) => {
      if (worker === "w1" && n > 1) return reply(socket, 404, "{}");
      begin(socket);
      send(socket, frame(T1, `hello from ${worker}`));
      if (worker === "w1") drop(socket);
    });
    const at = reading(made.url, clock, { query: { tail: 0 } });
    const result = followLogs(at.request);
    await until(() => at.lines.length === 1 && clock.sleeping.includes(500));
    made.listed = ["w2"];
    clock.advance(500);
    await until(() => at.notes.includes("worker w1 is gone"));
    for (let i = 0; i < 3; i++) {
      clock.advance(10_000);
      await until(() => clock.sleeping.includes(10_000));
    }
    await until(() => at.lines.length === 2);
    at.stop.abort();
    await assert.rejects(result, (error) => isReadbackError(error, "interrupted"));
    assert.deepEqual(
      at.lines.map(({ workerId, line }) => [workerId, line]),
      [
        ["w1", "hello from w1"],
        ["w2", "hello from w2"],
      ],
    );
    assert.equal(at.notes.filter((note) => note === "worker w1 is gone").length, 1);
    assert.ok(at.notes.includes("worker w2 is new"));
    assert.deepEqual(
      [made.opened[0]?.path, made.opened.at(-1)?.path].map((path) => path?.split("?")[1]),
      ["tail=0", "tail=5000"], // what a new worker said before it was found is news too
    );
  });

  test("lets go of a worker that is quiet and in two lists no more", async () => {
    const clock = handClock();
    const made = await serve((socket) => {
      begin(socket);
      send(socket, frame(T1, "hello"));
    });
    const at = reading(made.url, clock);
    const result = followLogs(at.request);
    await until(() => at.lines.length === 1 && clock.sleeping.includes(10_000));
    made.listed = [];
    clock.advance(10_000);
    await until(() => clock.sleeping.includes(10_000));
    assert.deepEqual(at.notes, []);
    clock.advance(10_000);
    await until(() => at.notes.includes("worker w1 is gone"));
    at.stop.abort();
    await assert.rejects(result, (error) => isReadbackError(error, "interrupted"));
  });

  test("waits for the first worker, and tries one again that is listed and has no log yet", async () => {
    const clock = handClock();
    const made = await serve((socket, { n }) => {
      if (n === 1) return reply(socket, 404, "{}");
      begin(socket);
      send(socket, frame(T1, "up"));
    }, []);
    const at = reading(made.url, clock);
    const result = followLogs(at.request);
    await until(() => clock.sleeping.includes(10_000));
    made.listed = ["w1"];
    clock.advance(10_000);
    await until(() => made.opened.length === 1 && clock.sleeping.includes(10_000));
    await new Promise((resolve) => setTimeout(resolve, 20)); // the 404 arrives
    clock.advance(10_000);
    await until(() => at.lines.length === 1);
    at.stop.abort();
    await assert.rejects(result, (error) => isReadbackError(error, "interrupted"));
    assert.deepEqual(at.notes, ["no worker is up; waiting for one", "worker w1 is new"]);
  });

  test("follows at most 32 at once, and says how many it leaves out", async () => {
    const clock = handClock();
    const made = await serve(
      (socket, { worker }) => {
        begin(socket);
        send(socket, frame(T1, worker));
      },
      Array.from({ length: 35 }, (_, i) => `w${i}`),
    );
    const at = reading(made.url, clock);
    const result = followLogs(at.request);
    await until(() => at.lines.length === 32);
    at.stop.abort();
    await assert.rejects(result, (error) => isReadbackError(error, "interrupted"));
    assert.equal(made.opened.length, 32);
    assert.deepEqual(at.notes, ["3 more workers are not followed: at most 32 at once"]);
  });

  test("ends with the error when the key is refused or the endpoint is not there", async () => {
    const made = await serve((socket) => reply(socket, 403, "{}"));
    const at = reading(made.url, handClock());
    await assert.rejects(followLogs(at.request), (error) => isReadbackError(error, "forbidden"));
  });
});

function instant(ts: string): number {
  const [whole = "", fraction = ""] = ts.replace("Z", "").split(".");
  return Date.parse(`${whole}Z`) + Number(`0.${fraction.padEnd(1, "0")}`) * 1000;
}
