import type { FetchOptions } from "ofetch";
import { isLoopback } from "./hosts.ts";

/** What a service answered, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One request as it goes out. */
export interface WireRequest {
  readonly method: "GET" | "PATCH" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte as UTF-8; empty where there is none. */
  readonly body: string;
  /** Ends the request; also while the body of the answer is being read. */
  readonly signal: AbortSignal;
  /** A GET that must not arrive twice, because it takes away what it reads. @default false */
  readonly once?: boolean;
}

/** A handler in this process, such as a sandbox, in place of the network. */
export type InProcessFetch = (request: Request) => Promise<Response>;

/** Sends one request once, follows no redirect and reads the answer whole; rejects with what the runtime threw. */
export type Wire = (request: WireRequest) => Promise<Reply>;

type SendOptions = FetchOptions<"text"> & { client?: unknown; proxy?: false };
type Sender = (url: string, options: SendOptions) => Promise<Response & { _data?: string }>;

/**
 * Gives the one way in which requests leave. A change, and a GET that consumes, is sent so that no runtime can send it
 * again by itself: each has a connection of its own, because Deno repeats a PATCH or POST and Bun a GET whose kept-alive
 * connection closes without a reply, and a stale connection would leave it open whether the request arrived. Node never repeats, and cannot be told to open a
 * fresh connection.
 */
export function createWire(inProcess?: InProcessFetch): Wire {
  return async (request) => {
    const repeatable = request.method === "GET" && request.once !== true;
    const own = repeatable || inProcess !== undefined ? sharedConnection() : ownConnection();
    try {
      const sender = await senderOf(request, inProcess);
      return await untilAborted(exchange(sender, request, own.options), request.signal);
    } finally {
      own.close();
    }
  };
}

/** Bun would send loopback requests, key and all, to the proxy of the environment; the others ignore this. */
export const NO_PROXY = { proxy: false } as const;

/** What a request needs to travel alone, and its end. */
export interface Connection {
  /** What the runtime's `fetch` takes beside the standard. */
  readonly options: { readonly keepalive?: boolean; readonly client?: unknown };
  close(): void;
}

interface DenoHttp {
  createHttpClient(options: { http2: boolean; poolMaxIdlePerHost: number }): { close(): void };
}

function sharedConnection(): Connection {
  return { options: {}, close: () => {} };
}

/** HTTP/1.1, since an HTTP/2 client may repeat a refused stream. */
export function ownConnection(): Connection {
  const deno = (globalThis as { Deno?: DenoHttp }).Deno;
  if (deno === undefined) return { options: { keepalive: false }, close: () => {} };
  const client = deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 0 });
  return { options: { client }, close: () => client.close() };
}

/** ofetch's own retries, timeout, status errors and JSON parsing stay off: each would be a second policy. */
async function exchange(
  sender: Sender,
  request: WireRequest,
  connection: Connection["options"],
): Promise<Reply> {
  const response = await sender(request.url, {
    method: request.method,
    headers: { ...request.headers },
    ...(request.method === "GET" ? {} : { body: request.body }),
    ...connection,
    ...(isLoopback(new URL(request.url).hostname) ? NO_PROXY : {}),
    signal: request.signal,
    redirect: "manual",
    retry: false,
    ignoreResponseError: true,
    responseType: "text",
  });
  return { status: response.status, headers: response.headers, text: response._data ?? "" };
}

/** ofetch takes half as long to load as a whole fast command, so that plain looks go by the platform's own fetch. */
async function senderOf(request: WireRequest, inProcess: InProcessFetch | undefined): Promise<Sender> {
  if (inProcess === undefined && request.method === "GET") return platformSender;
  const { createFetch } = await import("ofetch");
  const send = async (input: string, init?: RequestInit): Promise<Response> =>
    await readWhole(
      inProcess === undefined ? await fetch(input, init) : await inProcess(new Request(input, init)),
    );
  return createFetch({ fetch: send as typeof fetch }).raw;
}

async function platformSender(url: string, options: SendOptions): ReturnType<Sender> {
  const response = await readWhole(await fetch(url, options as RequestInit));
  return Object.assign(response, { _data: await response.text() });
}

/**
 * Reads the body before ofetch looks at it: a look at `response.body` makes Bun stream it, which costs a large payload
 * nearly twice its size in memory.
 */
async function readWhole(response: Response): Promise<Response> {
  const { status, headers, ok } = response;
  const text = await response.text();
  return { status, headers, ok, body: text, text: async () => text } as unknown as Response;
}

/** Bodies and handlers that do not listen to the signal end with it all the same. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
