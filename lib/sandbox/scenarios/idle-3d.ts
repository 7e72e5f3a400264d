import type { Scenario } from "./scenario.ts";

/** What three days without a request do (runpod-api.md 4.5). */
export const idle3d: Scenario = {
  name: "idle-3d",
  summary:
    "image-generator was lowered to workers.max 2 after 3 days without a request; both workers are busy now, and jobs wait",
  changes: { "4m7x2k9q": { workers: { max: 2 } } },
  unusedDays: { "4m7x2k9q": 3 },
  past: [{ secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 90_000 }, jobs: 6 }],
};
