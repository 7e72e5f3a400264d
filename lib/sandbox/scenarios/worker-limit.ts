import type { Scenario } from "./scenario.ts";

/** Nothing can run, since somebody set the limit to zero. */
export const workerLimit: Scenario = {
  name: "worker-limit",
  summary: "image-generator has workers.max 0",
  changes: { "4m7x2k9q": { workers: { max: 0 } } },
};
