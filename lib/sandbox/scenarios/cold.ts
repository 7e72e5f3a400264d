import type { Scenario } from "./scenario.ts";

/** The first job after a while, and a model that loads slowly. */
export const cold: Scenario = {
  name: "cold",
  summary: "image-generator's first worker is starting, with a job waiting for it",
  changes: {},
  fleets: { "4m7x2k9q": { coldStartMs: [90_000, 120_000] } },
  past: [{ secondsAgo: 20, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" } }],
};
