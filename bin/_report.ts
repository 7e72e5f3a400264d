import { errorDocument, type ReadbackError } from "../lib/errors.ts";
import { oneLine, safeLines } from "../lib/plain-text.ts";
import { isTerminal, wantsPlain } from "./_terminal.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where everything that is not the answer goes: stderr. */
export interface Report {
  /** A line worth knowing. */
  note(text: string): void;
  /** Text as it is, such as a preview. */
  text(text: string): void;
}

/** Opens the way to stderr: lines of consola on a terminal, plain lines everywhere else. */
export async function openReport(env: Environment): Promise<Report> {
  if (!(await isLively(env))) {
    const print = await plainLines();
    return { note: print, text: print };
  }
  const consola = await createConsola();
  return { note: (text) => consola.info(text), text: (text) => consola.log(text) };
}

/** Writes an error to stderr: one JSON line for machines, words for a person at a terminal. */
export async function reportError(
  error: ReadbackError,
  options: { json: boolean; env: Environment },
): Promise<void> {
  const print = await plainLines();
  if (options.json || !(await isTerminal(2))) return print(JSON.stringify(errorDocument(error)));
  const message = safeLines(error.message);
  const next = error.followUp === null ? [] : [`  next: ${oneLine(error.followUp)}`];
  if (!(await isLively(options.env))) return print([`error: ${message}`, ...next].join("\n"));
  const consola = await createConsola();
  consola.error(message);
  for (const line of next) consola.log(line);
}

async function isLively(env: Environment): Promise<boolean> {
  return !wantsPlain(env) && (await isTerminal(2));
}

async function createConsola(): Promise<import("consola").ConsolaInstance> {
  const { createConsola } = await import("consola");
  const { stderr } = await import("node:process");
  // consola itself writes info and log to stdout.
  return createConsola({ stdout: stderr, stderr, formatOptions: { date: false } });
}

/** Not `console.error`: Bun paints it red on a terminal, whatever CI says. */
async function plainLines(): Promise<(text: string) => void> {
  const { stderr } = await import("node:process");
  return (text) => void stderr.write(`${text.replace(/\n$/, "")}\n`);
}
