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
  const source = context.query.get("source");
  const isWanted = (line: LogLine) => source === null || line.source === source;
  let next = firstWanted(worker.log.filter(isWanted), context) ?? worker.logged;
  const waiting = () => worker.log.filter((line) => line.n >= next && isWanted(line));
  await context.hold(() => waiting().length > 0, Number.POSITIVE_INFINITY);
  return { status: 200, headers: HEADERS, frames };

  async function* frames(signal: AbortSignal): AsyncGenerator<string> {
    while (!signal.aborted) {
      for (const line of waiting()) {
        next = line.n + 1;
        yield frame(line);
      }
      await nextRing(context, signal, () => waiting().length > 0);
    }
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

function nextRing({ stage }: RouteContext, signal: AbortSignal, isDone: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || isDone()) return resolve();
    const stop = stage.bell.onRing(() => {
      if (isDone()) done();
    });
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
