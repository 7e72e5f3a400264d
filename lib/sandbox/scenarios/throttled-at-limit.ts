import type { Scenario } from "./scenario.ts";

/** As many workers as the limit allows, and most of them wait for a host (runpod-api.md 4.6). */
export const throttledAtLimit: Scenario = {
  name: "throttled-at-limit",
  summary: "image-generator has 3 workers, as workers.max allows: one is busy, two wait for a machine",
  changes: {
    "4m7x2k9q": { workers: { max: 3 }, scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
  },
  past: [
    { secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 240_000 } },
    { secondsAgo: 45, endpoint: "4m7x2k9q", stock: { "NVIDIA GeForce RTX 4090@US-KS-2": "NONE" } },
    { secondsAgo: 40, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 4 },
  ],
};
