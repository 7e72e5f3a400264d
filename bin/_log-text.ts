import type { LogLine } from "../lib/logs/log-line.ts";
import { oneLine } from "../lib/plain-text.ts";
import type { Paint } from "../lib/plan/paint.ts";

/** Sequences that move a cursor, paint, or set a title; a program's colours are no use in a merged log. */
const ANSI =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*(?![[\]PX^_])[0-~]/g;
/** Gives one line of a log for a terminal: when, which worker, which source, and the text, which cannot act on it. */
export function logText({ ts, workerId, source, line, truncated }: LogLine, paint: Paint): string {
  const head = [ts ?? "-", workerId, source ?? "-"].map(neutral).join(" ");
  return `${paint.dim(head)}  ${neutral(line)}${truncated === true ? paint.warn(" … TRUNCATED") : ""}`;
}

/** Text of somebody else's, which a terminal may show: without escape sequences, control characters made visible. */
export function neutral(text: string): string {
  return text.replace(ANSI, "").split("\t").map(oneLine).join("\t");
}
