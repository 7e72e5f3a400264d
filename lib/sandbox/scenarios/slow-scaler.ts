import type { Scenario } from "./scenario.ts";

/** A scaler that lets jobs wait for minutes before it adds a worker. */
export const slowScaler: Scenario = {
  name: "slow-scaler",
  summary: "image-generator has one busy worker and a queue, and adds workers only after 300 s of waiting",
  changes: { "4m7x2k9q": { scaling: { type: "QUEUE_DELAY", queueDelay: 300 } } },
  past: [
    { secondsAgo: 120, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 60_000 }, jobs: 6 },
  ],
};
