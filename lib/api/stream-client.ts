import { systemClock } from "../clock.ts";
import { ReadbackError } from "../errors.ts";
import type { Target } from "../target.ts";
import { createTransport, refusal } from "./_transport.ts";
import { type ClientOptions, createLookClient, type LookClient } from "./client.ts";
import { classify } from "./failure.ts";
import { failureError, replyError, type Tried } from "./problem.ts";
import { openStream, type StreamReply } from "./stream-wire.ts";
import { joinUrl } from "./url.ts";

export interface OpenOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the waiting for headers and the reading of the body alike; nothing else does. */
  readonly signal: AbortSignal;
  /** Continues "Cannot …" in an error. */
  readonly what: string;
}

/** A body that comes while it is read. */
export interface OpenedStream {
  readonly headers: Headers;
  /** @throws network_error (retryable) when the connection is lost; interrupted when the signal ended it */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

/** Looks, and opens looks whose answer is a stream. */
export interface StreamClient extends LookClient {
  /**
   * Makes a GET of the route table below the control plane, once, and gives its 2xx reply when its headers are there.
   *
   * @throws what `look` throws; `retryable` says whether the same may be tried again
   */
  open(path: string, options: OpenOptions): Promise<OpenedStream>;
}

/** What an error's body may hold; a page of an edge is shorter. */
const LONGEST_ERROR = 65_536;

/**
 * Makes a client whose wire refuses everything but looks, streamed ones included.
 *
 * @param looks makes the looks that are no streams @default a client of its own
 */
export function createStreamClient(
  target: Target,
  options: ClientOptions = {},
  looks: LookClient = createLookClient(target, options),
): StreamClient {
  const { fetch, clock = systemClock } = options;
  const transport = createTransport({
    target,
    clock,
    kinds: ["look"],
    ...(fetch === undefined ? {} : { fetch }),
    ...(options.onRequest === undefined ? {} : { onRequest: options.onRequest }),
  });
  return {
    target,
    get reads() {
      return looks.reads + transport.reads;
    },
    look: looks.look,
    async open(path, given) {
      const url = joinUrl(target.controlUrl, path, given.query);
      if (transport.route("GET", url)?.kind !== "look") throw refusal("GET", url);
      const tried = triedOf(target, given.what, clock.now());
      const ahead = transport.budget(url).wait();
      if (ahead !== null) await clock.sleep(ahead.ms, given.signal).catch(() => {});
      if (given.signal.aborted) throw interruption(given.signal, given.what);
      const headers = { accept: "text/event-stream", ...given.headers };
      const request = { url, key: target.readKey, headers, signal: given.signal, wire: openStream };
      const reply = await told(transport.open(request), given, tried);
      if (reply.status < 200 || reply.status >= 300) throw await refusedStream(reply, tried);
      return { headers: reply.headers, body: guarded(reply, given, tried), close: reply.close };
    },
  };
}

async function* guarded(reply: StreamReply, given: OpenOptions, tried: Tried): AsyncGenerator<Uint8Array> {
  const bytes = reply.body[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await told(bytes.next(), given, tried);
    if (done === true) return;
    yield value;
  }
}

/** Gives what came, or the error that says why nothing did. */
async function told<T>(work: Promise<T>, { signal, what }: OpenOptions, tried: Tried): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof ReadbackError && !signal.aborted) throw thrown;
    if (signal.aborted) throw interruption(signal, what);
    throw failureError(classify(thrown, tried.keys), tried);
  }
}

/** The service closes after an error; one that does not is not waited for longer than a call may take. */
async function refusedStream(reply: StreamReply, tried: Tried): Promise<ReadbackError> {
  const timer = setTimeout(reply.close, tried.timeoutMs);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of reply.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > LONGEST_ERROR) break;
    }
  } catch {
    // What came of it until then says what there is to say.
  } finally {
    clearTimeout(timer);
    reply.close();
  }
  return replyError({ status: reply.status, headers: reply.headers, text }, tried);
}

function interruption(signal: AbortSignal, what: string): ReadbackError {
  if (signal.reason instanceof ReadbackError) return signal.reason;
  return new ReadbackError("interrupted", `Interrupted: ${what}`);
}

function triedOf(target: Target, what: string, nowMs: number): Tried {
  const { host, timeoutMs, key, readKey } = target;
  const keySource = readKey === key ? target.keySource : "RUNPOD_READ_ONLY_API_KEY";
  return { what, kind: "look", host, timeoutMs, keySource, keys: [key, readKey], nowMs };
}
