import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { logText, neutral } from "../../bin/_log-text.ts";
import { plain } from "../../lib/plan/paint.ts";
import { reply } from "../api/_raw-server.ts";
import { begin, finish, frame, type LogServer, logServer, send } from "../logs/_log-server.ts";
import { call, ended, errorOf, sendSignal, start } from "./_spawn.ts";

let server: LogServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(
  onLog: Parameters<typeof logServer>[0],
  listed?: readonly string[],
): Promise<{ readonly env: Record<string, string>; readonly made: LogServer }> {
  const made = await logServer(onLog, listed);
  server = made;
  const env = { RUNPOD_API_BASE_URL: made.url, RUNPOD_INVOKE_URL: made.url, RUNPOD_API_KEY: "rpa_KEY0123" };
  return { env, made };
}

const T1 = "2026-08-06T17:43:01Z";
const LOGS = ["serverless", "logs", "ep1"];

describe("readback serverless logs", () => {
  test("prints one JSON document a line on a pipe, with escape sequences as they came", async () => {
    const { env } = await serve(
      (socket, { worker }) => {
        begin(socket);
        send(socket, frame(T1, `\u001b[31m${worker}`));
        finish(socket);
      },
      ["w1", "w2"],
    );
    const { status, stdout, stderr } = await call(LOGS, { env });
    assert.equal(status, 0, stderr);
    const lines = stdout.trimEnd().split("\n").sort();
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      ["w1", "w2"].map((workerId) => ({
        source: "container",
        line: `\u001b[31m${workerId}`,
        ts: T1,
        workerId,
      })),
    );
    assert.equal(stderr, "");
  });

  test("refuses what the service would refuse, and what it cannot mean, before any request", async () => {
    const { env, made } = await serve(() => {});
    for (const flags of [
      ["--tail", "6000"],
      ["--tail=-1"],
      ["--tail", "1e3"],
      ["--source", "stderr"],
      ["--since", "yesterday"],
      ["--since", "30"],
      ["--since", "2026-08-06T17:43:01"],
      ["--max-wait", "soon"],
      ["--max-wait", "2s", "--follow"],
    ]) {
      const called = await call([...LOGS, ...flags], { env });
      assert.equal(called.status, 2, flags.join(" "));
      assert.equal(errorOf(called)["code"], "usage_error");
      assert.equal(called.stdout, "");
    }
    assert.equal(made.arrivals.length, 0);
  });

  test("counts --since back from now, and reads named workers without a list", async () => {
    const { env, made } = await serve((socket) => {
      begin(socket);
      finish(socket);
    });
    const before = Date.now();
    const flags = ["--worker", "w1,w9", "--since", "30m", "--source", "both"];
    const { status, stderr } = await call([...LOGS, ...flags], { env });
    assert.equal(status, 0, stderr);
    assert.equal(made.arrivals.length, 2);
    const { pathname, searchParams } = new URL(made.arrivals[0]?.path ?? "", made.url);
    assert.match(pathname, /workers\/w[19]\/logs$/);
    assert.deepEqual([...searchParams.keys()], ["since"]);
    const since = Date.parse(searchParams.get("since") ?? "");
    assert.ok(Math.abs(before - since - 1_800_000) < 60_000);
  });

  test("is call_timeout, exit 1, where no headers come within --max-wait", async () => {
    const { env } = await serve(() => {});
    const called = await call([...LOGS, "--max-wait", "200ms"], { env });
    assert.equal(called.status, 1);
    assert.equal(errorOf(called)["code"], "call_timeout");
    assert.equal(called.stdout, "");
  });

  test("prints the lines of one worker and notes that another is quiet", async () => {
    const { env } = await serve(
      (socket, { worker }) => {
        if (worker === "w2") return;
        begin(socket);
        send(socket, frame(T1, "one"));
      },
      ["w1", "w2"],
    );
    const called = await call([...LOGS, "--max-wait", "1s"], { env });
    assert.equal(called.status, 0);
    assert.equal(called.stdout.trimEnd().split("\n").length, 1);
    assert.match(called.stderr, /Cannot read the log of worker "w2": no answer within 1 s/);
  });

  test("is not_found, exit 1, for a worker that is not there, and unauthorized for a wrong key", async () => {
    const { env, made } = await serve((socket) => reply(socket, 404, '{"detail":"resource not found"}'));
    const gone = await call([...LOGS, "--worker", "w9"], { env });
    assert.deepEqual([gone.status, errorOf(gone)["code"]], [1, "not_found"]);
    await made.close();
    const other = await serve((socket) => reply(socket, 401, "{}"));
    const refused = await call([...LOGS, "--worker", "w9", "--follow"], { env: other.env });
    assert.deepEqual([refused.status, errorOf(refused)["code"]], [1, "unauthorized"]);
    assert.equal(other.made.opened.length, 1);
  });

  test("ends with 0 when a worker that it followed is gone", async () => {
    const { env } = await serve((socket, { n }) => {
      if (n > 1) return reply(socket, 404, "{}");
      begin(socket);
      send(socket, frame(T1, "last words"));
      finish(socket);
    });
    const called = await call([...LOGS, "--worker", "w1", "--follow"], { env });
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stderr, /worker w1 is gone/);
    assert.match(called.stdout, /last words/);
  });

  test("with --follow ends with 0 when its reader has gone away", async () => {
    const { env } = await serve((socket) => {
      begin(socket);
      const timer = setInterval(() => send(socket, frame(T1, "again")), 5);
      socket.on("close", () => clearInterval(timer));
    });
    const child = start([...LOGS, "--follow"], { env });
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.stdout?.destroy();
    const status = await new Promise((resolve) => child.once("exit", resolve));
    assert.equal(status, 0);
  });

  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`with --follow ends on ${signal} within 1 s, with ${status} and whole lines`, async () => {
      const { env } = await serve((socket) => {
        begin(socket);
        let i = 0;
        const timer = setInterval(() => send(socket, frame(T1, `line ${i++}`)), 5);
        socket.on("close", () => clearInterval(timer));
      });
      const child = start([...LOGS, "--follow"], { env });
      await new Promise((resolve) => child.stdout?.once("data", resolve));
      const result = ended(child);
      const sentMs = performance.now();
      sendSignal(child, signal);
      const called = await result;
      assert.equal(called.status, status);
      assert.ok(performance.now() - sentMs < 1_000);
      assert.ok(called.stdout === "" || called.stdout.endsWith("\n"));
      for (const line of called.stdout.trimEnd().split("\n").filter(Boolean)) JSON.parse(line);
      assert.equal(errorOf(called)["code"], "interrupted");
    });
  }
});

describe("a line on a terminal", () => {
  test("says when, which worker, which source, and the text", () => {
    const line = { source: "container", line: "step\t1", ts: T1, workerId: "w1" };
    assert.equal(logText(line, plain), `${T1} w1 container  step\t1`);
    assert.equal(
      logText({ ...line, ts: null, source: null, truncated: true }, plain),
      "- w1 -  step\t1 … TRUNCATED",
    );
  });

  test("cannot move the cursor, paint, set a title, or look like another line", () => {
    assert.equal(neutral("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u009b2Jy"), "red xy");
    assert.equal(neutral("a\rb\nc\bd\u0000\u007f"), "a\\rb\\nc\\x08d\\x00\\x7f");
    assert.equal(neutral("\u001b]0;never closed"), "\\x1b]0;never closed");
    assert.equal(neutral("\u202eevil\u2066"), "\\u202eevil\\u2066");
    assert.equal(neutral("é🚀 100 % ▇▇"), "é🚀 100 % ▇▇");
  });
});
