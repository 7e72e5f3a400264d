import { retryJob as retry } from "../fleet/jobs.ts";
import { showState } from "../fleet/show-job.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findJob } from "./find.ts";

/** `POST /retry/{job}`: a FAILED or TIMED_OUT job runs again under its id; its output is dropped (runpod-api.md 3.1). */
export const retryJob: SandboxRoute = {
  name: "retryJob",
  method: "POST",
  path: "/invoke/v2/{id}/retry/{job}",
  answer(context) {
    const named = findJob(context);
    if (named.problem) return refuse(named.problem);
    const { site, job } = named.found;
    if (job.status !== "FAILED" && job.status !== "TIMED_OUT") {
      return refuse({ status: 400, detail: "only FAILED and TIMED_OUT jobs can be retried" });
    }
    retry(site, job);
    context.applied();
    return ok(showState(job));
  },
};
