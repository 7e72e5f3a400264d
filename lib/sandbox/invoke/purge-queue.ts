import { purgeQueue as purge } from "../fleet/jobs.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findQueue } from "./find.ts";

/** `POST /purge-queue`: every queued job goes, running ones go on (runpod-api.md 3.4). */
export const purgeQueue: SandboxRoute = {
  name: "purgeQueue",
  method: "POST",
  path: "/invoke/v2/{id}/purge-queue",
  answer(context) {
    const queue = findQueue(context);
    if (queue.problem) return refuse(queue.problem);
    const removed = purge(queue.found);
    if (removed > 0) context.applied();
    return ok({ removed, status: "completed" });
  },
};
