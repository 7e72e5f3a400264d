import type { Scenario } from "./scenario.ts";

/** The endpoint asks for a CUDA version that no host has (runpod-api.md 2.12). */
export const cudaUnmet: Scenario = {
  name: "cuda-unmet",
  summary: "image-generator may run only on hosts with CUDA 13.1 or newer, and there is none",
  changes: { "4m7x2k9q": { gpu: { minCudaVersion: "13.1" } } },
  past: [{ secondsAgo: 100, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
