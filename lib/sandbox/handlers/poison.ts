import { generateImage } from "./generate-image.ts";
import type { Call, Work } from "./handler.ts";

/** One input brings the container down, each time it is taken (runpod-api.md 4.7); any other is served. */
export function poison(call: Call): Work {
  return call.options["poison"] === true ? { ms: null, diesAtMs: 3000 } : generateImage(call);
}
