import type { Scenario } from "./scenario.ts";

/** A backlog that drains, with every worker at work. */
export const busyQueue: Scenario = {
  name: "busy-queue",
  summary: "image-generator has 2 workers at most, both busy, and a dozen jobs wait",
  changes: { "4m7x2k9q": { workers: { max: 2 } } },
  past: [
    { secondsAgo: 90, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 45_000 }, jobs: 15 },
  ],
};
