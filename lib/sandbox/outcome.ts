/** What a client gets: an answer, a part of one, or none. */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer }
  /** Status, headers and the first half of the body, then the connection breaks. */
  | { readonly kind: "cut"; readonly answer: Answer }
  /** Status and headers, then frames as they come; it has no end of its own. */
  | { readonly kind: "stream"; readonly answer: Answer; readonly frames: Frames }
  /** The connection is reset without an answer. */
  | { readonly kind: "reset" }
  /** The connection is closed without an answer. */
  | { readonly kind: "closed" }
  /** Silence. */
  | { readonly kind: "hang" };

/** Frames of an event stream until the signal says that nobody listens any more. */
export type Frames = (signal: AbortSignal) => AsyncIterable<string>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there is no body. */
  readonly text: string;
}

/** The first half of a body, as the bytes that still arrive. */
export function firstHalf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  return bytes.slice(0, Math.floor(bytes.length / 2));
}

/**
 * Turns an outcome into what `fetch` would do in a client: a broken connection is a `TypeError` whose cause carries
 * `ECONNRESET`, silence lasts until the request is aborted.
 */
export async function toResponse(
  outcome: Outcome,
  request: { readonly signal: AbortSignal },
): Promise<Response> {
  if (outcome.kind === "reset" || outcome.kind === "closed") throw connectionError("fetch failed");
  if (outcome.kind === "hang") return await untilAborted(request.signal);
  const { status, headers, text } = outcome.answer;
  if (outcome.kind === "stream") {
    return new Response(frameBody(outcome.frames, request), { status, headers: { ...headers } });
  }
  if (outcome.kind === "cut") return new Response(brokenBody(text), { status, headers: { ...headers } });
  return new Response(text === "" ? null : text, { status, headers: { ...headers } });
}

function connectionError(message: string): TypeError {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  return new TypeError(message, { cause });
}

function brokenBody(text: string): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(connectionError("terminated"));
      sent = true;
      controller.enqueue(firstHalf(text));
    },
  });
}

function frameBody(frames: Frames, request: { readonly signal: AbortSignal }): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const iterator = frames(AbortSignal.any([request.signal, gone.signal]))[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      request.signal.throwIfAborted();
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    cancel: () => gone.abort(),
  });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
