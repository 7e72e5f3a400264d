import { ReadbackError } from "../lib/errors.ts";

export interface ConfirmOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Aborted on Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Asks on a terminal. Only `y` and `yes` mean yes; Enter and the end of input mean no.
 *
 * @throws not_confirmed for any other answer; the signal's reason on Ctrl-C
 */
export async function confirm(question: string, options: ConfirmOptions): Promise<void> {
  const answer = await ask(question, options);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new ReadbackError("not_confirmed", "Not confirmed: nothing was sent");
}

/**
 * Asks on a terminal for a word that is typed out, such as an endpoint's name.
 *
 * @throws not_confirmed for anything else; the signal's reason on Ctrl-C
 */
export async function confirmTyped(question: string, word: string, options: ConfirmOptions): Promise<void> {
  const answer = (await ask(question, options)).trim();
  if (answer === word) return;
  const typed =
    answer === "" ? "nothing was typed" : `${JSON.stringify(answer)} is not ${JSON.stringify(word)}`;
  throw new ReadbackError("not_confirmed", `Not confirmed: ${typed}; nothing was sent`);
}

async function ask(question: string, { input, output, signal }: ConfirmOptions): Promise<string> {
  signal.throwIfAborted();
  const { createInterface } = await import("node:readline");
  // Without line editing the terminal turns Ctrl-C into SIGINT, which _run.ts handles.
  const lines = createInterface({ input, terminal: false });
  output.write(`${question} `);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  } finally {
    lines.close();
    input.pause();
  }
}
