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
  const lines = await linesOf(options);
  const answer = await lines.ask(question).finally(lines.close);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new ReadbackError("not_confirmed", "Not confirmed: nothing was sent");
}

/**
 * Asks on a terminal for words that are typed out, such as endpoints' names, one after the other.
 *
 * @param before what stands before the first question, on its line
 * @throws not_confirmed at the first that is anything else; the signal's reason on Ctrl-C
 */
export async function confirmTyped(
  before: string,
  words: readonly string[],
  options: ConfirmOptions,
): Promise<void> {
  const lines = await linesOf(options);
  try {
    for (const [i, word] of words.entries()) {
      const counted = words.length === 1 ? "" : ` (${i + 1} of ${words.length})`;
      const question = `Type ${word} to apply${counted}:`;
      const answer = (await lines.ask(i === 0 && before !== "" ? `${before} ${question}` : question)).trim();
      if (answer === word && word !== "") continue;
      const typed =
        answer === "" ? "nothing was typed" : `${JSON.stringify(answer)} is not ${JSON.stringify(word)}`;
      throw new ReadbackError("not_confirmed", `Not confirmed: ${typed}; nothing was sent`);
    }
  } finally {
    lines.close();
  }
}

interface Lines {
  /** The next line that is typed; empty when the input ended. @throws the signal's reason on Ctrl-C */
  ask(question: string): Promise<string>;
  close(): void;
}

async function linesOf({ input, output, signal }: ConfirmOptions): Promise<Lines> {
  signal.throwIfAborted();
  const { createInterface } = await import("node:readline");
  // Without line editing the terminal turns Ctrl-C into SIGINT, which _run.ts handles.
  const reader = createInterface({ input, terminal: false });
  const typed = reader[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {}); // nobody may be asking then
  return {
    async ask(question) {
      output.write(`${question} `);
      const line = await Promise.race([typed.next(), aborted]);
      return line.done ? "" : line.value;
    },
    close() {
      reader.close();
      input.pause();
    },
  };
}
