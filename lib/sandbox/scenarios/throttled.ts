import type { Scenario } from "./scenario.ts";

/** No machine is left where the endpoint may run. */
export const throttled: Scenario = {
  name: "throttled",
  summary: "image-generator finds no machine: the RTX 4090 is out of stock in US-KS-2, and jobs wait",
  changes: {},
  stock: { "NVIDIA GeForce RTX 4090@US-KS-2": "NONE" },
  past: [{ secondsAgo: 120, endpoint: "4m7x2k9q", submit: { prompt: "a red fox" }, jobs: 3 }],
};
