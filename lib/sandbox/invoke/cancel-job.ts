import { isOver, type WorldJob } from "../fleet/job.ts";
import { cancelJob as cancel, completeNow } from "../fleet/jobs.ts";
import { showState } from "../fleet/show-job.ts";
import { ok, type Reply, refuse } from "../reply.ts";
import type { RouteContext, SandboxRoute } from "../route.ts";
import { findJob } from "./find.ts";

/** `POST /cancel/{job}`: a queued or running job; what it says of one that has ended is a rule (runpod-api.md 3.4). */
export const cancelJob: SandboxRoute = {
  name: "cancelJob",
  method: "POST",
  path: "/invoke/v2/{id}/cancel/{job}",
  answer(context) {
    const named = findJob(context);
    if (named.problem) return refuse(named.problem);
    const { site, job } = named.found;
    if (context.faults.some(({ kind }) => kind === "cancel-race")) {
      completeNow(site, job);
      return ok({ id: job.id, status: "CANCELLED" });
    }
    if (isOver(job)) return sayEnded(job, context);
    cancel(site, job);
    context.applied();
    return ok(showState(job));
  },
};

function sayEnded(job: WorldJob, { stage }: RouteContext): Reply {
  const { cancelOfEnded } = stage.rules;
  if (cancelOfEnded === 400) return refuse({ status: 400, detail: "job has already ended" });
  return ok(cancelOfEnded === "lies" ? { id: job.id, status: "CANCELLED" } : showState(job));
}
