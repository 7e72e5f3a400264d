import type { Scenario } from "./scenario.ts";

/** The handler raises, whatever it is given. */
export const jobFails: Scenario = {
  name: "job-fails",
  summary: "image-generator's handler raises on every job; two have failed",
  changes: {},
  fleets: { "4m7x2k9q": { handler: "raise" } },
  past: [{ secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 2 }],
};
