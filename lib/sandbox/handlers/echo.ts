import { type Call, numberOption, type Work } from "./handler.ts";

/** Gives the input back, byte for byte. */
export function echo(call: Call): Work {
  return { ms: numberOption(call, "sleepMs", 100), output: call.input };
}
