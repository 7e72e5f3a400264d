import type { Scenario } from "./scenario.ts";

/** As many workers as the limit allows, and most of them wait for a host (runpod-api.md 4.6). */
export const throttledAtLimit: Scenario = {
  name: "throttled-at-limit",
  summary: "image-generator has 3 workers, as workers.max allows: one is busy, two wait for a machine",
  changes: {
    "4m7x2k9q": { workers: { max: 3 }, scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
  },
  fleets: { "4m7x2k9q": { capacity: 1 } },
  stock: { "NVIDIA GeForce RTX 4090@US-KS-2": "NONE" },
  past: [{ secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 90_000 }, jobs: 6 }],
};
