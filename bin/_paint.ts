import { type Paint, plain } from "../lib/plan/paint.ts";
import { isTerminal, wantsPlain } from "./_terminal.ts";

/** Colour for a terminal, none for anything else. */
export async function paintFor(fd: 1 | 2, env: Readonly<Record<string, string | undefined>>): Promise<Paint> {
  if (wantsPlain(env) || !(await isTerminal(fd))) return plain;
  return { bold: ansi(1, 22), dim: ansi(2, 22), warn: ansi(33, 39), good: ansi(32, 39), bad: ansi(31, 39) };
}

function ansi(on: number, off: number): (text: string) => string {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`;
}
