import { dyingContainer, onSmallCard } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The model does not fit the card (runpod-api.md 5). */
export const oom: Scenario = {
  name: "oom",
  summary: "image-generator's model does not fit the 24 GB of its RTX 4090",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: dyingContainer(
        onSmallCard,
        "Traceback (most recent call last):",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB.",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
