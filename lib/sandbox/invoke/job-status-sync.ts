import { isOver } from "../fleet/job.ts";
import { showJob } from "../fleet/show-job.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findJob } from "./find.ts";
import { clampWait } from "./wait.ts";

/** `GET /status-sync/{job}?wait=`: held until the job ends. Known from the JavaScript SDK alone (runpod-api.md 3.1). */
export const jobStatusSync: SandboxRoute = {
  name: "jobStatusSync",
  method: "GET",
  path: "/invoke/v2/{id}/status-sync/{job}",
  async answer(context) {
    if (!context.stage.rules.statusSync) return refuse({ status: 404, detail: "not found" });
    const named = findJob(context);
    if (named.problem) return refuse(named.problem);
    const { site, job } = named.found;
    const isGone = () => !site.fleet.jobs.has(job.id);
    await context.hold(() => isOver(job) || isGone(), clampWait(context.query));
    return isGone() ? refuse({ status: 404, detail: "job not found" }) : ok(showJob(job));
  },
};
