import { keepJob } from "../fleet/ending.ts";
import { showJob } from "../fleet/show-job.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findJob } from "./find.ts";

/** `GET /status/{job}?ttl=`: at once; `ttl` sets the time to live, in milliseconds from now (runpod-api.md 3.1). */
export const jobStatus: SandboxRoute = {
  name: "jobStatus",
  method: "GET",
  path: "/invoke/v2/{id}/status/{job}",
  answer(context) {
    const named = findJob(context);
    if (named.problem) return refuse(named.problem);
    const { site, job } = named.found;
    const ttlMs = Number(context.query.get("ttl") ?? 0);
    if (ttlMs > 0 && site.rules.statusTtl === "sets") {
      job.expiresAtMs = context.nowMs + ttlMs;
      keepJob(site, job);
      context.applied();
    }
    return ok(showJob(job));
  },
};
