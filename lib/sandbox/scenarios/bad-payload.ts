import type { Scenario } from "./scenario.ts";

/** Workers refuse an empty input, and the platform calls it a timeout (runpod-api.md 3.2). */
export const badPayload: Scenario = {
  name: "bad-payload",
  summary: "image-generator was sent empty inputs: one job has failed as timed out, one is being tried again",
  changes: { "4m7x2k9q": { workers: { idleTimeout: 60 } } },
  past: [
    { secondsAgo: 170, endpoint: "4m7x2k9q", submit: {} },
    { secondsAgo: 55, endpoint: "4m7x2k9q", submit: {} },
  ],
};
