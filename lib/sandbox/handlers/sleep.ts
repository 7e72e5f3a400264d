import { type Call, numberOption, type Work } from "./handler.ts";

/** Takes as long as the input's `sleepMs` says. @default 1000 */
export function sleep(call: Call): Work {
  const ms = numberOption(call, "sleepMs", 1000);
  return { ms, output: JSON.stringify({ sleptMs: ms }) };
}
