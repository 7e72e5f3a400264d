import { type Call, numberOption, type Work } from "./handler.ts";

const WORDS = ["once", "upon", "a", "runpod"];

/**
 * Yields the input's `chunks` (default 4), one every `everyMs` (default 1000). With `aggregate` they are its output too;
 * without it there is none (runpod-api.md 3.4). It ends `tailMs` after the last, by default with it.
 */
export function stream(call: Call): Work {
  const everyMs = numberOption(call, "everyMs", 1000);
  const chunks = Array.from({ length: Math.floor(numberOption(call, "chunks", 4)) }, (_, i) => ({
    atMs: (i + 1) * everyMs,
    json: JSON.stringify({ index: i, word: WORDS[i % WORDS.length] }),
  }));
  const whole = `[${chunks.map(({ json }) => json).join(",")}]`;
  return {
    ms: chunks.length * everyMs + numberOption(call, "tailMs", 0),
    chunks,
    ...(call.options["aggregate"] === true ? { output: whole } : {}),
  };
}
