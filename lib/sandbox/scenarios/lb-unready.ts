import { unreached } from "./_trouble.ts";
import type { Scenario } from "./scenario.ts";

/** A load balancer polls a port that is not exposed (runpod-api.md 4.8). */
export const lbUnready: Scenario = {
  name: "lb-unready",
  summary: "chat-lb's worker runs and is never ready: its health port 8001 is not exposed",
  changes: { "9k2w5t1r": { ports: ["8000/http"] } },
  fleets: {
    "9k2w5t1r": {
      trouble: unreached(
        ({ env, ports }) => !ports.some((port) => port.startsWith(`${env["PORT_HEALTH"]}/`)),
      ),
    },
  },
};
