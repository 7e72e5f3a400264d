import { createParser, type EventSourceMessage } from "eventsource-parser";

/** One event of a stream. */
export interface SseEvent {
  readonly id: string | undefined;
  readonly data: string;
  /** True when it was longer than the bound and is cut there. */
  readonly truncated: boolean;
}

export interface SseOptions {
  readonly onEvent: (event: SseEvent) => void;
  /** Told of ids, also of frames that carry nothing else. */
  readonly onId?: (id: string) => void;
  /** Characters that are kept of one event. @default 1048576 */
  readonly maxChars?: number;
}

/** Reads server-sent events out of text that comes in pieces of any cut. */
export interface SseReader {
  feed(text: string): void;
  /** The stream has ended: an event without its closing blank line counts too. */
  finish(): void;
}

const MAX_CHARS = 1_048_576;
const NEW_LINE = { head: "", chars: 0, kept: 0 };
/** An id of an event that is over its bound already. */
const MAX_ID_CHARS = 1_024;

/**
 * Makes a reader of server-sent events that never holds more than `maxChars` of one. The parser itself would stop at its
 * bound and drop what it has; so the text is shortened before it: what is over the bound of an event is left out, but
 * for its id, and the event is marked.
 */
export function createSseReader(options: SseOptions): SseReader {
  const { onEvent, onId, maxChars = MAX_CHARS } = options;
  let truncated = false;
  let used = 0;
  /** The line that is under way: its first characters, which tell an id; how long it is, and how much of it goes on. */
  let line = NEW_LINE;
  /** A carriage return was the last character: a line feed that comes next belongs to it, and shares its fate. */
  let afterCr: "passed" | "dropped" | null = null;
  const parser = createParser({
    onEvent: ({ id, data }: EventSourceMessage) => onEvent({ id, data, truncated }),
    ...(onId === undefined ? {} : { onId }),
  });

  return {
    feed(text) {
      if (text === "") return;
      let at = afterCr !== null && text.startsWith("\n") ? 1 : 0;
      let from = afterCr === "dropped" ? at : 0;
      let cr = text.indexOf("\r");
      afterCr = null;
      while (at < text.length) {
        if (cr !== -1 && cr < at) cr = text.indexOf("\r", at);
        const lf = text.indexOf("\n", at);
        const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
        const stop = end === -1 ? text.length : end;
        const keep = take(text, at, stop);
        if (keep < stop - at) {
          pass(text.slice(from, at + keep));
          truncated = true;
          from = stop;
        }
        if (end === -1) break;
        at = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
        // The end of a line of which nothing goes on would be a blank line, which ends an event.
        const isDropped = line.chars > 0 && line.kept === 0;
        if (isDropped) from = at;
        if (at === text.length && text.endsWith("\r")) afterCr = isDropped ? "dropped" : "passed";
        if (line.chars === 0) {
          if (truncated) pass(text.slice(from, at));
          if (truncated) from = at;
          truncated = false;
          used = 0;
        }
        line = NEW_LINE;
      }
      pass(text.slice(from));
    },
    finish() {
      parser.feed("\n\n");
    },
  };

  function pass(text: string): void {
    if (text !== "") parser.feed(text);
  }

  /** How many characters of the line's piece between `at` and `stop` go on. */
  function take(text: string, at: number, stop: number): number {
    const length = stop - at;
    if (length === 0) return 0;
    const head =
      line.head.length < 2 ? (line.head + text.slice(at, Math.min(stop, at + 2))).slice(0, 2) : line.head;
    const room = head === "id" ? Math.max(maxChars - used, MAX_ID_CHARS - line.chars) : maxChars - used;
    const keep = Math.max(0, Math.min(length, room));
    line = { head, chars: line.chars + length, kept: line.kept + keep };
    used += keep;
    return keep;
  }
}
