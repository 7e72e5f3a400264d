import type { Scenario } from "./scenario.ts";

/** What seven days without a request do (runpod-api.md 4.5). */
export const longIdle: Scenario = {
  name: "long-idle",
  summary: "image-generator was lowered to workers.max 0 after 7 days without a request",
  changes: { "4m7x2k9q": { workers: { max: 0 } } },
  unusedDays: { "4m7x2k9q": 7 },
};
