import type { Scenario } from "./scenario.ts";

/** One job brings its container down each time (runpod-api.md 4.7). */
export const poison: Scenario = {
  name: "poison",
  summary:
    "one job brings image-generator's container down each time; it was handed out again, and two others wait behind it",
  changes: { "4m7x2k9q": { workers: { max: 1 } } },
  fleets: { "4m7x2k9q": { handler: "poison" } },
  past: [
    { secondsAgo: 70, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", poison: true } },
    { secondsAgo: 20, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 2 },
  ],
};
