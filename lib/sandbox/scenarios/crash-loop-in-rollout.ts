import { dyingContainer } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** A new image that does not come up, while an old worker is still busy (runpod-api.md 2.7). */
export const crashLoopInRollout: Scenario = {
  name: "crash-loop-in-rollout",
  summary:
    "image-generator got a new image that crashes while it loads; one old worker still finishes its job, and others wait",
  changes: { "4m7x2k9q": { workers: { min: 2 } } },
  fleets: {
    "4m7x2k9q": {
      trouble: dyingContainer(
        ({ image }) => image === "acme/sdxl-worker:1.4.3",
        "Traceback (most recent call last):",
        "ValueError: SCHEDULER is not set",
      ),
    },
  },
  past: [
    { secondsAgo: 120, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 600_000 } },
    { secondsAgo: 60, endpoint: "4m7x2k9q", patch: { image: "acme/sdxl-worker:1.4.3" } },
    { secondsAgo: 50, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 2 },
  ],
};
