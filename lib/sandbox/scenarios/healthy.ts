import type { Scenario } from "./scenario.ts";

/** Everything as it should be. */
export const healthy: Scenario = {
  name: "healthy",
  summary:
    "Four endpoints in order: a queue on one GPU pool, a queue on CPUs, a load balancer, a pinned queue",
  changes: {},
};
