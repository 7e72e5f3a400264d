import { createSseReader, type SseEvent } from "../api/sse.ts";
import type { OpenedStream } from "../api/stream-client.ts";
import { ReadbackError } from "../errors.ts";
import { isWhole, type LogLine, lineOf, lineOfText } from "./log-line.ts";

export interface BodySink {
  onLine(line: LogLine, id: string | undefined): void;
  onId(id: string): void;
  /** After each piece that arrived. */
  onPiece(): void;
}

export interface BodyOptions {
  readonly worker: string;
  /** Whether the reading goes on after this body: an event that was cut in the middle then comes again. */
  readonly goesOn: boolean;
}

/** The longest body that is read as one JSON document. */
const LONGEST_DOCUMENT = 16_777_216;

/**
 * Reads the body of a log to its end, piece by piece; characters may be cut anywhere.
 *
 * @throws api_error - it is neither an event stream nor the JSON document that the service sent for a while; what
 * reading the body can fail with
 */
export async function readBody(stream: OpenedStream, sink: BodySink, options: BodyOptions): Promise<void> {
  const decoder = new TextDecoder();
  const events = eventReader(sink, options);
  let document: string | null = null;
  let isFirst = true;
  for await (const chunk of stream.body) {
    const text = decoder.decode(chunk, { stream: true });
    if (isFirst && text.trim() !== "") {
      isFirst = false;
      if (/^\s*[{[<]/.test(text)) document = "";
    }
    if (document === null) events.feed(text);
    else document += text;
    if (document !== null && document.length > LONGEST_DOCUMENT)
      throw unexpected(options.worker, "it is too long");
    sink.onPiece();
  }
  const rest = decoder.decode();
  if (document === null) events.finish(rest);
  else readDocument(document + rest, sink, options.worker);
  sink.onPiece();
}

function eventReader(
  sink: BodySink,
  { worker, goesOn }: BodyOptions,
): { feed(text: string): void; finish(rest: string): void } {
  let last = false;
  const onEvent = (event: SseEvent): void => {
    if (last && !isWhole(event)) {
      if (!goesOn) sink.onLine({ ...lineOf(event, worker), truncated: true }, event.id);
      return;
    }
    // The id first: a line is given when the cursor knows of it.
    if (event.id !== undefined) sink.onId(event.id);
    sink.onLine(lineOf(event, worker), event.id);
  };
  const reader = createSseReader({ onEvent, onId: (id) => (last ? undefined : sink.onId(id)) });
  return {
    feed: (text) => reader.feed(text),
    finish(rest) {
      reader.feed(rest);
      last = true;
      reader.finish();
    },
  };
}

/** `{"container":["<ts> <line>"],"system":[]}`, as the service answered for some days. */
function readDocument(text: string, sink: BodySink, worker: string): void {
  const document = parse(text);
  const sources = Object.entries(document ?? {}).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  if (document === null || sources.length === 0)
    throw unexpected(worker, `it begins with ${JSON.stringify(text.trim().slice(0, 40))}`);
  for (const [source, lines] of sources) {
    for (const entry of lines) {
      const line = lineOfText(typeof entry === "string" ? entry : JSON.stringify(entry), source, worker);
      sink.onLine(line, undefined);
    }
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function unexpected(worker: string, why: string): ReadbackError {
  return new ReadbackError(
    "api_error",
    `Cannot read the log of worker "${worker}": unexpected log format: the answer is no event stream, ${why}`,
  );
}
