import { dyingContainer } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The disk is full while the program loads its model (runpod-api.md 5). */
export const diskFull: Scenario = {
  name: "disk-full",
  summary: "image-generator's program fills its disk of 20 GB while it downloads the model",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: dyingContainer(
        ({ disk }) => disk < 40,
        "Traceback (most recent call last):",
        "OSError: [Errno 28] No space left on device",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
