import { isOver } from "../fleet/job.ts";
import { JsonText } from "../json-text.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";
import { findJob } from "./find.ts";
import { readWait } from "./wait.ts";

/**
 * `GET /stream/{job}?wait=`: what was yielded since the last call, each chunk once; with nothing there it is held, 10 s by
 * default (runpod-api.md 3.4). The last chunk may come with COMPLETED.
 */
export const streamJob: SandboxRoute = {
  name: "streamJob",
  method: "GET",
  path: "/invoke/v2/{id}/stream/{job}",
  async answer(context) {
    const named = findJob(context);
    if (named.problem) return refuse(named.problem);
    const wait = readWait(context.query, 10_000);
    if (wait.problem) return refuse(wait.problem);
    const { job } = named.found;
    await context.hold(() => job.chunks.length > 0 || isOver(job), wait.waitMs);
    const stream = job.chunks.splice(0).map((json) => ({ output: new JsonText(json) }));
    return ok({ status: job.status, stream });
  },
};
