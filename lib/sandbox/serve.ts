import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Deliver } from "./courier.ts";
import type { Sandbox } from "./mod.ts";
import { type Answer, firstHalf, type Outcome, toResponse } from "./outcome.ts";

export interface ServeOptions {
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Sends webhooks for real, to wherever a job says. @default false */
  readonly webhooks?: boolean;
}

/** A sandbox that listens. */
export interface ServedSandbox {
  readonly url: string;
  /** What points clients at it; the key is the sandbox's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Stops listening and ends every connection, also idle and hanging ones. */
  close(): Promise<void>;
}

/** Puts a sandbox on a port of 127.0.0.1, and lets its `requestUrls` point there. */
export async function serve(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  const sockets = new Set<Socket>();
  const server = createServer((req, res) => void answer(sandbox, req, res));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const port = await listen(server, options.port ?? 0);
  const url = `http://127.0.0.1:${port}`;
  sandbox.origin = url;
  if (options.webhooks === true) sandbox.deliver = deliverByFetch;
  return { url, env: environment(url, sandbox.key), close: () => close(server, sockets) };
}

const deliverByFetch: Deliver = async (url, { headers, body }) => {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  await response.body?.cancel();
  return response.status;
};

function environment(url: string, key: string): Readonly<Record<string, string>> {
  return {
    RUNPOD_API_BASE_URL: url,
    RUNPOD_INVOKE_URL: `${url}/invoke/v2`,
    RUNPOD_SERVERLESS_API_URL: `${url}/invoke/v2`,
    RUNPOD_API_KEY: key,
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
}

/** A request whose client has gone away has no answer to send. */
async function answer(sandbox: Sandbox, req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    const request = new NodeRequest({ req, res });
    await actOut(await sandbox.handle(request), res);
  } catch {
    res.destroy();
  }
}

async function actOut(outcome: Outcome, res: ServerResponse): Promise<void> {
  if (outcome.kind === "hang") return;
  if (outcome.kind === "reset") return reset(res);
  if (outcome.kind === "closed") return breakOff(res);
  if (outcome.kind === "cut") return cut(outcome.answer, res);
  const closed = new AbortController();
  res.once("close", () => closed.abort());
  await sendNodeResponse(res, await toResponse(outcome, closed));
}

/** The whole length is announced, half of it is sent. */
function cut({ status, headers, text }: Answer, res: ServerResponse): void {
  res.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(text)) });
  res.write(firstHalf(text), () => breakOff(res));
}

/** A runtime without resets closes instead. */
function reset({ socket }: ServerResponse): void {
  if (typeof socket?.resetAndDestroy === "function") socket.resetAndDestroy();
  else socket?.destroy();
}

function breakOff(res: ServerResponse): void {
  res.socket?.destroy();
}
