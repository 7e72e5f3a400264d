import { ReadbackError } from "../lib/errors.ts";
import { isTerminal } from "./_terminal.ts";

export type PayloadFormat = "json" | "yaml";

/** Reads `-o`. @throws usage_error */
export function formatOf(text: string | undefined): PayloadFormat {
  if (text === undefined || text === "json") return "json";
  if (text === "yaml") return "yaml";
  throw new ReadbackError(
    "usage_error",
    `Cannot use --output ${JSON.stringify(text)}: expected json or yaml`,
  );
}

/**
 * Writes what the service said to stdout: byte for byte, with a line break behind it on a terminal alone, where the prompt
 * would stick to it.
 */
export async function printPayload(text: string, format: PayloadFormat): Promise<void> {
  if (format === "yaml") {
    const { yamlText } = await import("../lib/api/yaml-text.ts");
    return await write(yamlText(text));
  }
  await write((await isTerminal(1)) && !text.endsWith("\n") ? `${text}\n` : text);
}

/** Writes one line to stdout, at once. */
export async function printLine(text: string): Promise<void> {
  await write(`${text}\n`);
}

/** `console.log` would add a line break. The callback comes when the text is out, so that nothing is cut. */
async function write(text: string): Promise<void> {
  const { stdout } = await import("node:process");
  await new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(unwritable(error)) : resolve()));
  });
}

function unwritable(cause: Error): ReadbackError {
  return new ReadbackError("api_error", `Cannot write to stdout: ${cause.message}`, { cause });
}
