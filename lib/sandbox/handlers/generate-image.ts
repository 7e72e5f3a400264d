import { type Call, numberOption, type Work } from "./handler.ts";

const IMAGE = "https://images.readback.example/4m7x2k9q/red-fox-1024.png";

/** Takes a `prompt` and gives the address of always the same image after about three seconds. */
export function generateImage(call: Call): Work {
  const { prompt } = call.options;
  if (typeof prompt !== "string" || prompt === "") return { ms: 40, error: "prompt is required" };
  return {
    ms: numberOption(call, "sleepMs", 3000),
    output: JSON.stringify({ image_url: IMAGE, width: 1024, height: 1024 }),
  };
}
