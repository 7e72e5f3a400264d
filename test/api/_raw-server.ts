import { createServer, type Socket } from "node:net";

/** One request as it arrived, byte for byte. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True when an earlier request came over the same connection. */
  readonly reused: boolean;
}

export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
}

/** Answers on the bare socket, or does what no HTTP server does: cut, reset, stay silent. */
export type RawHandler = (arrival: Arrival, socket: Socket) => void;

/** A server on a loopback port that counts what arrives below every HTTP library. */
export async function rawServer(handler: RawHandler): Promise<RawServer> {
  const arrivals: Arrival[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let pending: Uint8Array = new Uint8Array();
    let earlier = false;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      pending = Buffer.concat([pending, Buffer.from(data)]);
      for (let parsed = parse(pending, earlier); parsed !== null; parsed = parse(pending, earlier)) {
        pending = pending.subarray(parsed.length);
        earlier = true;
        arrivals.push(parsed.arrival);
        handler(parsed.arrival, socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    arrivals,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes a whole reply and keeps the connection open. */
export function reply(
  socket: Socket,
  status: number,
  body = "{}",
  headers: Record<string, string> = {},
): void {
  const fields = {
    "content-type": "application/json",
    ...headers,
    "content-length": `${Buffer.byteLength(body)}`,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Text\r\n${lines.join("")}\r\n${body}`);
}

/** A port of this machine where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await rawServer(() => {});
  await server.close();
  return server.port;
}

function parse(bytes: Uint8Array, reused: boolean): { arrival: Arrival; length: number } | null {
  const data = Buffer.from(bytes);
  const headEnd = data.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [first = "", ...lines] = data.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const [method = "", path = ""] = first.split(" ");
  const chunked = headers["transfer-encoding"] === "chunked";
  const end = chunked
    ? data.indexOf("0\r\n\r\n", headEnd) + 5
    : headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (end < headEnd + 4 || data.length < end) return null;
  const body = data.subarray(headEnd + 4, end).toString("utf8");
  return { arrival: { method, path, headers, body, reused }, length: end };
}
