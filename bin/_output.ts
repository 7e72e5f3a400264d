import { oneLine } from "../lib/plain-text.ts";

// What a recipe prints goes to stderr while it runs: stdout carries the answer alone.
const print = console.log;

/** Runs work whose `console.log` must not end up in the answer. */
export async function withOwnStdout<T>(work: () => Promise<T>): Promise<T> {
  const { log, info, debug } = console;
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  try {
    return await work();
  } finally {
    Object.assign(console, { log, info, debug });
  }
}

/**
 * Writes the answer to stdout. `console.log` and nothing else: it is complete also on a slow pipe, on every runtime, and
 * does not open the stream of `process.stdout`.
 */
export function printText(text: string): void {
  print(text.replace(/\n$/, ""));
}

/** Writes one JSON document to stdout. */
export function printJson(document: unknown): void {
  print(JSON.stringify(document, null, 2));
}

/** Lays rows out in columns, two spaces apart; a cell is one line, whatever the service put into it. */
export function tableText(table: readonly (readonly string[])[]): string {
  const rows = table.map((row) => row.map(oneLine));
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
