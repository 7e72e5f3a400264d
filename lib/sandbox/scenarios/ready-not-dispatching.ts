import type { Scenario } from "./scenario.ts";

/** Ready workers, waiting jobs, and nothing in progress. */
export const readyNotDispatching: Scenario = {
  name: "ready-not-dispatching",
  summary: "image-generator's worker is ready, and takes none of the jobs that wait",
  changes: {},
  fleets: { "4m7x2k9q": { deafWorkers: 1 } },
  past: [{ secondsAgo: 90, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
