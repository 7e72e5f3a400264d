import type { Scenario } from "./scenario.ts";

/** What three days without a request do (runpod-api.md 4.5). */
export const idle3d: Scenario = {
  name: "idle-3d",
  summary: "image-generator was lowered to workers.max 2 after 3 days without a request",
  changes: { "4m7x2k9q": { workers: { max: 2 } } },
};
