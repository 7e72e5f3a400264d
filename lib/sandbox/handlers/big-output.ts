import { type Call, numberOption, type Work } from "./handler.ts";

/** Gives an output of the input's `bytes`, to the byte. @default 1048576 */
export function bigOutput(call: Call): Work {
  const bytes = Math.max(11, Math.floor(numberOption(call, "bytes", 1024 * 1024)));
  return {
    ms: numberOption(call, "sleepMs", 500),
    output: `{"data":"${"x".repeat(bytes - '{"data":""}'.length)}"}`,
  };
}
