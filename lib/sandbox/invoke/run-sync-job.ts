import { isOver } from "../fleet/job.ts";
import { submitJob } from "../fleet/jobs.ts";
import { showJob, showState } from "../fleet/show-job.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findQueue } from "./find.ts";
import { readSubmission } from "./submission.ts";
import { readWait } from "./wait.ts";

/** `POST /runsync?wait=`: held until the job ends, 90 s by default; then it answers with a job that goes on (3.1). */
export const runSyncJob: SandboxRoute = {
  name: "runSyncJob",
  method: "POST",
  path: "/invoke/v2/{id}/runsync",
  async answer(context) {
    const queue = findQueue(context);
    if (queue.problem) return refuse(queue.problem);
    const wait = readWait(context.query, 90_000);
    if (wait.problem) return refuse(wait.problem);
    const read = readSubmission(context, 20);
    if (read.problem) return refuse(read.problem);
    const job = submitJob(queue.found, { ...read.submission, isSync: true });
    context.applied();
    await context.hold(() => isOver(job), wait.waitMs);
    return ok(isOver(job) ? showJob(job) : showState(job));
  },
};
