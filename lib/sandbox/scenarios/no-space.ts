import { failingStart } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The start itself fails for want of disk (runpod-api.md 5). */
export const noSpace: Scenario = {
  name: "no-space",
  summary: "image-generator's container does not start: no space is left on its disk of 20 GB",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: failingStart(({ disk }) => disk < 40, "acme/sdxl-worker:1.4.2", "no space left on device"),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
