import type { Scenario } from "./scenario.ts";

/** A record that means nothing (runpod-api.md 3.9, 6). */
export const throttledLeftover: Scenario = {
  name: "throttled-leftover",
  summary: "image-generator is idle, and one throttled record was left behind",
  changes: {},
  past: [{ secondsAgo: 1800, endpoint: "4m7x2k9q", leavesThrottledRecord: true }],
};
