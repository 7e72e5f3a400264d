import type { Scenario } from "./scenario.ts";

/** Ready workers, waiting jobs, and nothing in progress. */
export const readyNotDispatching: Scenario = {
  name: "ready-not-dispatching",
  summary: "image-generator's workers are ready, and take none of the jobs that wait",
  changes: {},
  fleets: { "4m7x2k9q": { dispatches: false } },
  past: [{ secondsAgo: 90, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
