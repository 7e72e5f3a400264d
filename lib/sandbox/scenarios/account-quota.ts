import type { Scenario } from "./scenario.ts";

/** The account's workers stand on a step of its quota (runpod-api.md 4.5). */
export const accountQuota: Scenario = {
  name: "account-quota",
  summary:
    "image-generator's 5 workers are all busy, and the account's limits add up to its quota of 20 workers",
  changes: {
    "4m7x2k9q": { scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
    "3p8n6v2d": { workers: { max: 8 } },
  },
  past: [
    { secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 90_000 }, jobs: 12 },
  ],
};
