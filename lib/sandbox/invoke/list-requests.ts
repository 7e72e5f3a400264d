import { showState } from "../fleet/show-job.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findQueue } from "./find.ts";

/** `GET /requests`: no source documents its shape; this is what third-party code reads (runpod-api.md 3.1). */
export const listRequests: SandboxRoute = {
  name: "listRequests",
  method: "GET",
  path: "/invoke/v2/{id}/requests",
  answer(context) {
    const queue = findQueue(context);
    if (queue.problem) return refuse(queue.problem);
    return ok({ requests: [...queue.found.fleet.jobs.values()].map(showState) });
  },
};
