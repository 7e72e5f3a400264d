import { failingPull } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The image does not exist (runpod-api.md 5). */
export const imagePull: Scenario = {
  name: "image-pull",
  summary: "image-generator was given an image tag that does not exist",
  changes: { "4m7x2k9q": { image: "acme/sdxl-worker:1.4.20" } },
  fleets: {
    "4m7x2k9q": {
      trouble: failingPull(
        ({ image }) => image === "acme/sdxl-worker:1.4.20",
        "image pull: manifest for acme/sdxl-worker:1.4.20 not found: manifest unknown",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
