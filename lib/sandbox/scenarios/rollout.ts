import type { Scenario } from "./scenario.ts";

/** A new image while an old worker is still busy (runpod-api.md 2.7). */
export const rollout: Scenario = {
  name: "rollout",
  summary: "image-generator got a new image 15 s ago: one old worker finishes its job, one new worker pulls",
  changes: { "4m7x2k9q": { workers: { min: 2 } } },
  past: [
    { secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 300_000 } },
    { secondsAgo: 15, endpoint: "4m7x2k9q", patch: { image: "acme/sdxl-worker:1.4.3" } },
  ],
};
