import { dyingContainer, ofThatImage } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The program ends before its handler runs, and reads show a running worker (runpod-api.md 4.6). */
export const crashLoop: Scenario = {
  name: "crash-loop",
  summary:
    "image-generator's program ends while it loads, every 8 s; its worker reads RUNNING and unhealthy is 0",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: dyingContainer(
        ofThatImage,
        "Traceback (most recent call last):",
        "ValueError: SCHEDULER is not set",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
