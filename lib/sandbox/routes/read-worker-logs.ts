import { integer, invalidQuery } from "../catalog/query.ts";
import { siteOf } from "../fleet/site.ts";
import type { FleetWorker } from "../fleet/worker.ts";
import type { LogLine } from "../fleet/worker-log.ts";
import { NOT_FOUND, type Reply, refuse } from "../reply.ts";
import type { RouteContext, SandboxRoute } from "../route.ts";
import type { Schema } from "../schema.ts";

const SCHEMAS: Readonly<Record<string, Schema>> = {
  source: { type: "string", enum: ["container", "system"] },
  tail: { type: "integer", minimum: 0, maximum: 5000 },
  since: {
    type: "string",
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$",
  },
};

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-accel-buffering": "no",
};

/**
 * `GET /v2/serverless/{id}/workers/{workerId}/logs`: what is there and what comes, without an end; not even the headers come
 * before there is a line (runpod-api.md 2.11).
 */
export const readWorkerLogs: SandboxRoute = {
  name: "readWorkerLogs",
  method: "GET",
  path: "/v2/serverless/{id}/workers/{workerId}/logs",
  async answer(context) {
    const { stage, params, query } = context;
    const values = {
      source: query.get("source") ?? undefined,
      tail: integer(query, "tail"),
      since: query.get("since") ?? undefined,
    };
    const problem = invalidQuery(values, SCHEMAS);
    if (problem) return refuse(problem);
    const fleet = siteOf(stage, params["id"] ?? "")?.fleet;
    const all = [...(fleet?.workers ?? []), ...(fleet?.gone ?? [])];
    const worker = all.find(({ id }) => id === params["workerId"]);
    return worker === undefined ? refuse(NOT_FOUND) : await follow(worker, context);
  },
};

async function follow(worker: FleetWorker, context: RouteContext): Promise<Reply> {
  const inbox = openInbox(worker, context);
  try {
    await context.hold(() => inbox.lines.length > 0, Number.POSITIVE_INFINITY);
  } catch (reason) {
    inbox.close();
    throw reason;
  }
  return { status: 200, headers: HEADERS, frames };

  async function* frames(signal: AbortSignal): AsyncGenerator<string> {
    try {
      while (!signal.aborted) {
        const line = inbox.lines.shift();
        if (line === undefined) await inbox.more(signal);
        else yield frame(line);
      }
    } finally {
      inbox.close();
    }
  }
}

interface Inbox {
  /** What is still to be sent. */
  readonly lines: LogLine[];
  /** Resolves when there is something, or nobody wants it any more. */
  more(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Takes each line as it is printed: a moment later its container may be gone, and the line with it. */
function openInbox(worker: FleetWorker, context: RouteContext): Inbox {
  const { bell } = context.stage;
  const source = context.query.get("source");
  const isWanted = (line: LogLine) => source === null || line.source === source;
  const lines: LogLine[] = [];
  let next = firstWanted(worker.log.filter(isWanted), context) ?? worker.logged;
  collect();
  return { lines, more, close: bell.onRing(collect) };

  function collect(): void {
    if (next === worker.logged) return;
    lines.push(...worker.log.filter((line) => line.n >= next && isWanted(line)));
    next = worker.logged;
  }

  function more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || lines.length > 0) return resolve();
      const stop = bell.onRing(() => {
        if (lines.length > 0) done();
      });
      signal.addEventListener("abort", done, { once: true });
      function done(): void {
        stop();
        signal.removeEventListener("abort", done);
        resolve();
      }
    });
  }
}

/** The number of the first line to send: the cursor beats `since`, which beats `tail`; null is none of those there. */
function firstWanted(lines: readonly LogLine[], { query, headers, stage }: RouteContext): number | null {
  const cursor = headers["last-event-id"];
  if (cursor !== undefined) return lines.find(({ ts }) => instant(ts) > instant(cursor))?.n ?? null;
  const since = query.get("since");
  const { logSince } = stage.rules;
  if (since !== null) {
    const from = instant(since);
    return (
      lines.find(({ ts }) => instant(ts) > from || (logSince === "inclusive" && instant(ts) === from))?.n ??
      null
    );
  }
  const tail = integer(query, "tail") ?? 100;
  return tail === 0 ? null : (lines.slice(-tail)[0]?.n ?? null);
}

/** A time as text that compares like it, to the nanosecond: stamps have different precisions. */
function instant(ts: string): string {
  const fraction = /\.(\d+)/.exec(ts)?.[1] ?? "";
  const seconds = Date.parse(ts.replace(/\.\d+/, "")) / 1000;
  return `${String(seconds).padStart(12, "0")}.${fraction.padEnd(9, "0")}`;
}

/** LF only, `id` equals `ts`, no event names (runpod-api.md 2.11). */
function frame({ source, line, ts }: LogLine): string {
  return `id: ${ts}\ndata: ${JSON.stringify({ source, line, ts })}\n\n`;
}
