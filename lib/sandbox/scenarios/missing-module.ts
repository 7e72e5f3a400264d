import { dyingContainer, ofThatImage } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** A module is not in the image (runpod-api.md 5). */
export const missingModule: Scenario = {
  name: "missing-module",
  summary: "image-generator's image lacks a module that its handler imports",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: dyingContainer(
        ofThatImage,
        "Traceback (most recent call last):",
        "ModuleNotFoundError: No module named 'transformers'",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
