import { isLoopback } from "./hosts.ts";
import { type InProcessFetch, NO_PROXY, ownConnection } from "./wire.ts";

/** A GET whose answer is read while it comes. */
export interface StreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request and its body, down to the socket; there is no other deadline. */
  readonly signal: AbortSignal;
}

/** An answer whose body is still to come. */
export interface StreamReply {
  readonly status: number;
  readonly headers: Headers;
  /** The body's bytes as they come; rejects with what the runtime threw, or with the signal's reason. Read it once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection; to be called in any case. */
  close(): void;
}

/** Opens one stream; rejects with what the runtime threw. */
export type StreamWire = (request: StreamRequest, inProcess?: InProcessFetch) => Promise<StreamReply>;

/** Beside the standard: Bun takes `timeout: false` for "no idle limit", Deno `client`. */
type StreamInit = RequestInit & { readonly timeout?: false };

/**
 * Opens a stream over a connection of its own, so that no runtime sends it twice, and follows no redirect. It gives the
 * answer when its headers are there; rejects with what the runtime threw.
 */
export async function openStream(request: StreamRequest, inProcess?: InProcessFetch): Promise<StreamReply> {
  const own = inProcess === undefined ? ownConnection() : { options: {}, close: () => {} };
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  // Bodies that a proxy compresses come in blocks and late.
  const headers = { ...request.headers, "accept-encoding": "identity" };
  const init: StreamInit = { headers, signal, redirect: "manual" };
  const close = (): void => {
    if (stop.signal.aborted) return;
    stop.abort(new Error("closed"));
    own.close();
  };
  try {
    const response = await untilAborted(
      inProcess === undefined
        ? fetch(request.url, { ...init, ...own.options, ...extrasFor(request.url) } as RequestInit)
        : inProcess(new Request(request.url, init)),
      signal,
    );
    return { status: response.status, headers: response.headers, body: chunksOf(response, signal), close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

function extrasFor(url: string): object {
  return { timeout: false, ...(isLoopback(new URL(url).hostname) ? NO_PROXY : {}) };
}

/** Cancelling ends the bodies that do not listen to the signal; it also ends a read that waits. */
async function* chunksOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Handlers in this process need not listen to the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
