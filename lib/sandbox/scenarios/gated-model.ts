import { dyingContainer } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The token does not open the gate of the model (runpod-api.md 5). */
export const gatedModel: Scenario = {
  name: "gated-model",
  summary: "image-generator's token may not download its gated model",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: dyingContainer(
        ({ env }) => env["HF_TOKEN"] === "{{ RUNPOD_SECRET_hf }}",
        "huggingface_hub.errors.GatedRepoError: 403 Client Error. Cannot access gated repo for url https://huggingface.co/acme/sdxl/resolve/main/model_index.json.",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
