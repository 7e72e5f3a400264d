import { failingStart } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** The image needs a newer CUDA than its host has, and the endpoint sets no floor (runpod-api.md 2.12). */
export const cudaFloor: Scenario = {
  name: "cuda-floor",
  summary: "image-generator's image needs CUDA 12.8, and runs on a host with an older driver",
  changes: {},
  fleets: {
    "4m7x2k9q": {
      trouble: failingStart(
        ({ gpu }) => gpu?.minCudaVersion === null && gpu.allowedCudaVersions.length === 0,
        "acme/sdxl-worker:1.4.2",
        "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update your driver to a newer version, or use an earlier cuda container: unknown",
      ),
    },
  },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
