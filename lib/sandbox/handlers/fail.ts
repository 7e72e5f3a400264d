import { type Call, numberOption, type Work } from "./handler.ts";

/** Returns `{"error": …, …}`: the job has FAILED, the other keys stay in its output (runpod-api.md 3.4). */
export function fail(call: Call): Work {
  const { error } = call.options;
  return {
    ms: numberOption(call, "sleepMs", 200),
    error: typeof error === "string" ? error : "the model gave no result",
    output: JSON.stringify({ stage: "inference" }),
  };
}
