import { type Call, numberOption, type Work } from "./handler.ts";

/** Gives numbers that JavaScript cannot hold, and keys that a client may take for its own (runpod-api.md 3.9, 7). */
export function bigIntegers(call: Call): Work {
  return {
    ms: numberOption(call, "sleepMs", 100),
    output: `{"row":9007199254740993,"seed":18446744073709551615,"f":1.0,"z":-0.0,"gpuTypeId":"x","__proto__":{"a":1},"2":"b","1":"a"}`,
  };
}
