import { writeSync } from "node:fs";

/** Where the lines of a stream go: stdout, whose reader may go away at any time. */
export interface LinesOut {
  /** Writes a text and its end of line, whole. */
  write(text: string): void;
  /** Aborted when nobody reads any more, as behind `| head`. */
  readonly closed: AbortSignal;
}

/** A reader that is slow, and a pipe that does not block, is asked again after this long, in milliseconds. */
const AGAIN_MS = 5;

/** Opens stdout for lines. `console.log` does not say when the reader is gone, and a stream has no other end. */
export function openLinesOut(): LinesOut {
  const closed = new AbortController();
  return {
    closed: closed.signal,
    write(text) {
      const bytes = new TextEncoder().encode(`${text}\n`);
      for (let at = 0; at < bytes.length && !closed.signal.aborted; ) {
        try {
          at += writeSync(1, bytes, at);
        } catch (error) {
          if (codeOf(error) === "EAGAIN")
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
          else if (codeOf(error) === "EPIPE") closed.abort();
          else throw error;
        }
      }
    },
  };
}

/** Deno's errors of this kind have a name of their own. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error.name === "BrokenPipe") return "EPIPE";
  if (error.name === "WouldBlock") return "EAGAIN";
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
