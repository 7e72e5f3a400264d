import type { Socket } from "node:net";
import { createStreamClient, type StreamClient } from "../../lib/api/stream-client.ts";
import type { Clock } from "../../lib/clock.ts";
import type { LogLine } from "../../lib/logs/log-line.ts";
import type { LogsRequest } from "../../lib/logs/read-logs.ts";
import { type Arrival, type RawServer, rawServer, reply } from "../api/_raw-server.ts";
import { targetAt } from "../api/_target.ts";

/** One event as production sends it (runpod-api.md 2.11). */
export function frame(ts: string, line: string, source = "container"): string {
  return `id: ${ts}\ndata: ${JSON.stringify({ source, line, ts })}\n\n`;
}

/** Sends the headers of a stream whose end is told from its loss. */
export function begin(socket: Socket, type = "text/event-stream"): void {
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
}

export function send(socket: Socket, data: string | Uint8Array): void {
  const bytes = Buffer.from(data);
  socket.write(`${bytes.length.toString(16)}\r\n`);
  socket.write(bytes);
  socket.write("\r\n");
}

/** Ends the stream in order. */
export function finish(socket: Socket): void {
  socket.end("0\r\n\r\n");
}

/** Loses the connection a moment after what was written: a reader drops what it has not taken before the loss. */
export function drop(socket: Socket): void {
  setTimeout(() => socket.destroy(), 20);
}

export interface LogServer extends RawServer {
  /** Requests for logs so far. */
  readonly opened: readonly Arrival[];
  /** The workers that the list shows. */
  listed: readonly string[];
}

/** A server of worker lists and logs; `onLog` answers the nth request for the log of a worker, from 1. */
export async function logServer(
  onLog: (
    socket: Socket,
    at: { readonly n: number; readonly worker: string; readonly arrival: Arrival },
  ) => void,
  listed: readonly string[] = ["w1"],
): Promise<LogServer> {
  const opened: Arrival[] = [];
  const counts = new Map<string, number>();
  const server = await rawServer((arrival, socket) => {
    const worker = /^\/v2\/serverless\/ep1\/workers\/([^/]+)\/logs/.exec(arrival.path)?.[1];
    if (worker === undefined) return reply(socket, 200, listText(made.listed));
    opened.push(arrival);
    const n = (counts.get(worker) ?? 0) + 1;
    counts.set(worker, n);
    onLog(socket, { n, worker, arrival });
  });
  const made: LogServer = {
    ...{ url: server.url, port: server.port, arrivals: server.arrivals, close: server.close },
    ...{ opened, listed },
  };
  return made;
}

export interface Reading {
  readonly request: LogsRequest;
  readonly client: StreamClient;
  readonly lines: LogLine[];
  readonly notes: string[];
  readonly stop: AbortController;
}

/** A request for the logs of `ep1` that keeps what it is told. */
export function reading(url: string, clock: Clock, changes: Partial<LogsRequest> = {}): Reading {
  const stop = new AbortController();
  const lines: LogLine[] = [];
  const notes: string[] = [];
  const client = createStreamClient(targetAt(url), { clock, signal: stop.signal });
  const request: LogsRequest = {
    ...{ endpoint: "ep1", query: {}, workers: [], client, clock, signal: stop.signal },
    onLines: (fresh) => lines.push(...fresh),
    onNote: (text) => notes.push(text),
    ...changes,
  };
  return { request, client, lines, notes, stop };
}

function listText(workers: readonly string[]): string {
  return JSON.stringify({
    endpointVersion: 1,
    summary: { running: workers.length, total: workers.length },
    workers: workers.map((id) => ({ id, status: "RUNNING", isStale: false, gpuCount: 1 })),
  });
}
