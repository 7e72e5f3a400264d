import { failingPull } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The registry wants a credential that the endpoint does not have (runpod-api.md 5). */
export const registryAuth: Scenario = {
  name: "registry-auth",
  summary: "image-generator's image is private, and it has no registry credential",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: failingPull(
        ({ registry }) => registry === null,
        "image pull: pull access denied for acme/sdxl-worker, repository does not exist or may require 'docker login': denied",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
