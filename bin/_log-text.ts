import type { LogLine } from "../lib/logs/log-line.ts";
import type { Paint } from "../lib/plan/paint.ts";

/** Sequences that move a cursor, paint, or set a title; a program's colours are no use in a merged log. */
const ANSI =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*(?![[\]PX^_])[0-~]/g;
/** Control characters but for the tab, and those that turn the direction of writing. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Gives one line of a log for a terminal: when, which worker, which source, and the text, which cannot act on it. */
export function logText({ ts, workerId, source, line, truncated }: LogLine, paint: Paint): string {
  const head = [ts ?? "-", workerId, source ?? "-"].map(neutral).join(" ");
  return `${paint.dim(head)}  ${neutral(line)}${truncated === true ? paint.warn(" … TRUNCATED") : ""}`;
}

/** Text of somebody else's, which a terminal may show: without escape sequences, control characters made visible. */
export function neutral(text: string): string {
  return text.replace(ANSI, "").replace(CONTROL, visible);
}

function visible(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
