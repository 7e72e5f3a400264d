import { failingStart, ofThatImage } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** A container that is started over and over and says nothing (runpod-api.md 5). */
export const crashLoopSilent: Scenario = {
  name: "crash-loop-silent",
  summary: "image-generator's container is started every 8 s and ends without a word",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: failingStart(ofThatImage, "acme/sdxl-worker:1.4.2", null),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
