import assert from "node:assert/strict";
import { test } from "node:test";
import { createStreamClient } from "../../lib/api/stream-client.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { followLogs } from "../../lib/logs/follow-logs.ts";
import type { LogLine } from "../../lib/logs/log-line.ts";
import { type LogsRequest, readLogs } from "../../lib/logs/read-logs.ts";
import { createSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import { targetAt } from "../api/_target.ts";
import { QUEUE, submit } from "../sandbox/_client.ts";

type Fetch = (request: Request) => Promise<Response>;

/** A sandbox with a worker that has jobs for more than a minute; they say something every few seconds. */
async function busySandbox(logSince: "inclusive" | "exclusive"): Promise<Sandbox> {
  const box = createSandbox({ rules: { logSince } });
  for (let i = 0; i < 90; i++) await submit(box, { prompt: "x", sleepMs: 5_000 });
  return box;
}

function reading(
  box: Sandbox,
  fetch: Fetch,
): { request: LogsRequest; lines: LogLine[]; notes: string[]; stop: AbortController } {
  const stop = new AbortController();
  const lines: LogLine[] = [];
  const notes: string[] = [];
  const { clock } = box;
  const target = targetAt(box.origin, { key: box.key, readKey: box.key });
  const client = createStreamClient(target, { clock, fetch, signal: stop.signal });
  const request: LogsRequest = {
    ...{ endpoint: QUEUE, query: { tail: 5_000 }, workers: [], client, clock, signal: stop.signal },
    onLines: (fresh) => lines.push(...fresh),
    onNote: (text) => notes.push(text),
  };
  return { request, lines, notes, stop };
}

/** Loses each log connection when the sandbox's time is at an even second again, wherever it is. */
function losing(box: Sandbox): { fetch: Fetch; readonly lost: number } {
  let lost = 0;
  return {
    get lost() {
      return lost;
    },
    async fetch(request) {
      const response = await box.fetch(request);
      if (!request.url.includes("/logs") || response.body === null) return response;
      const reader = response.body.getReader();
      const gone = new AbortController();
      const untilLossMs = 2_000 - (box.clock.now() % 2_000);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          box.clock.sleep(untilLossMs, gone.signal).then(
            () => {
              lost += 1;
              reader.cancel().catch(() => {});
              controller.error(new Error("connection closed"));
            },
            () => {},
          );
        },
        async pull(controller) {
          const { value } = await reader.read();
          if (value !== undefined) controller.enqueue(value);
        },
        cancel() {
          gone.abort();
          return reader.cancel().catch(() => {});
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    },
  };
}

for (const logSince of ["inclusive", "exclusive"] as const) {
  test(`each line comes exactly once over a reset every 2 s for a minute, with since ${logSince}`, async () => {
    const box = await busySandbox(logSince);
    const wire = losing(box);
    const at = reading(box, wire.fetch);
    const endMs = box.clock.now() + 75_000;
    const following = followLogs(at.request);
    while (box.clock.now() < endMs) await box.clock.sleep(250);
    at.stop.abort();
    await assert.rejects(following, (error) => isReadbackError(error, "interrupted"));
    const whole = reading(box, (request) => box.fetch(request));
    await readLogs(whole.request);
    const workers = new Set(whole.lines.map(({ workerId }) => workerId));
    assert.ok(wire.lost >= 25, `${wire.lost} connections lost`);
    assert.ok(whole.lines.length > 40, `${whole.lines.length} lines`);
    for (const worker of workers) {
      const followed = at.lines.filter(({ workerId }) => workerId === worker);
      const all = whole.lines.filter(({ workerId }) => workerId === worker);
      assert.deepEqual(followed, all.slice(0, followed.length));
      const missing = all.slice(followed.length).filter(({ ts }) => Date.parse(ts ?? "") < endMs - 20_000);
      assert.deepEqual(missing, []);
    }
  });
}
