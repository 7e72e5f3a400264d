import { submitJob } from "../fleet/jobs.ts";
import { showState } from "../fleet/show-job.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findQueue } from "./find.ts";
import { readSubmission } from "./submission.ts";

/** `POST /run`: the job is queued, the answer comes at once (runpod-api.md 3.1). */
export const runJob: SandboxRoute = {
  name: "runJob",
  method: "POST",
  path: "/invoke/v2/{id}/run",
  answer(context) {
    const queue = findQueue(context);
    if (queue.problem) return refuse(queue.problem);
    const read = readSubmission(context, 10);
    if (read.problem) return refuse(read.problem);
    const job = submitJob(queue.found, read.submission);
    context.applied();
    return ok(showState(job));
  },
};
