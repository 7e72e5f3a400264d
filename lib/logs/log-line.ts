import type { SseEvent } from "../api/sse.ts";

/** One line of a worker's log. */
export interface LogLine {
  /** `container` or `system`; null where the service does not say. */
  readonly source: string | null;
  readonly line: string;
  /** When, in ISO 8601: nanoseconds for container lines, whole seconds for system lines; null where it is not said. */
  readonly ts: string | null;
  readonly workerId: string;
  /** What came instead of a line of the documented shape, as it came; `line` holds it too. */
  readonly raw?: string;
  /** True when the line was longer than 1 MiB and is cut there. */
  readonly truncated?: true;
}

const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads the line that an event carries; what is no object with a line is kept as it came. */
export function lineOf(event: SseEvent, workerId: string): LogLine {
  const { data, id, truncated } = event;
  const found = readObject(truncated ? closed(data) : data);
  const cut = truncated ? { truncated: true as const } : {};
  if (found === null) return { source: null, line: data, ts: stampOf(id), workerId, raw: data, ...cut };
  const { source, line, ts } = found;
  return {
    source: typeof source === "string" ? source : null,
    line,
    ts: typeof ts === "string" ? ts : stampOf(id),
    workerId,
    ...cut,
  };
}

/** True for an event that is whole: the last one of a stream that ended in the middle is not. */
export function isWhole(event: SseEvent): boolean {
  return readObject(event.data) !== null;
}

/** Reads `<ts> <line>`, the form of a log that came as one JSON document. */
export function lineOfText(text: string, source: string, workerId: string): LogLine {
  const space = text.indexOf(" ");
  const ts = space === -1 ? null : stampOf(text.slice(0, space));
  return { source, line: ts === null ? text : text.slice(space + 1), ts, workerId };
}

/** The text where it is an instant. */
export function stampOf(text: string | undefined): string | null {
  return text !== undefined && STAMP.test(text) ? text : null;
}

function readObject(data: string): { line: string; source?: unknown; ts?: unknown } | null {
  try {
    const value: unknown = JSON.parse(data);
    const isLine = typeof value === "object" && value !== null && "line" in value;
    return isLine && typeof value.line === "string" ? { ...value, line: value.line } : null;
  } catch {
    return null;
  }
}

/** Closes an object that was cut inside its line, without an escape that was cut in two. */
function closed(data: string): string {
  const tail = /(?:^|[^\\])(?:\\\\)*(\\(?:u[\da-fA-F]{0,3})?)$/.exec(data.slice(-4_096))?.[1] ?? "";
  return `${data.slice(0, data.length - tail.length)}"}`;
}
