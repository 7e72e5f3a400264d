import type { Scenario } from "./scenario.ts";

/** Workers that count their jobs in one file on a shared volume (case of the worker SDK 1.7.11 to 1.10.0). */
export const sdkJobFunnel: Scenario = {
  name: "sdk-job-funnel",
  summary:
    "image-generator's three workers share a volume and an old worker SDK: one gets all jobs, two are idle",
  changes: {
    "4m7x2k9q": {
      workers: { max: 3 },
      scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      networkVolumes: ["vol-models"],
    },
  },
  fleets: { "4m7x2k9q": { funnels: true, sdkVersion: "1.9.0" } },
  past: [{ secondsAgo: 60, endpoint: "4m7x2k9q", submit: { prompt: "a red fox", sleepMs: 90_000 }, jobs: 6 }],
};
