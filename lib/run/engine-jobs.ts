import { readJobState } from "../api/job-text.ts";
import type { Engine, SubmitRequest } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Job, JobChange, PurgeResult } from "./job.ts";
import { readJob } from "./job-result.ts";
import { laterInfo } from "./later.ts";
import { planJobChange, planPurge, planSubmit } from "./plan-job.ts";

type JobSteps = Pick<Engine, "health" | "status" | "submit" | "changeJob" | "purge">;

/** The part of an engine that reads and changes jobs. */
export function jobSteps(parts: EngineParts): JobSteps {
  const { session, client, mode, view } = parts;
  return {
    health: (endpoint) => session.step("health", "look", () => view.health(endpoint)),
    status: (job) =>
      session.step("status", "look", async () => {
        const about = { step: "run", text: "the status of the submitted job" };
        return laterInfo(job)
          ? await mode.onlyInApply(about, () => readJob(client, job))
          : await readJob(client, job);
      }),
    submit: (request) => session.step("run", "change", () => submit(request, parts)),
    changeJob: (kind, job) => session.step(kind, "change", () => changeJob(kind, job, parts)),
    purge: (endpoint) => session.step("purge", "change", () => purge(endpoint, parts)),
  };
}

async function submit(request: SubmitRequest, parts: EngineParts): Promise<Job> {
  const { endpoint } = request;
  const mutation = await planSubmit(request, parts);
  const applied = await parts.mode.commit(mutation);
  const about = { step: "run", text: "the id of the submitted job" };
  return await parts.mode.onlyInApply(about, async () => {
    const { id, text } = applied?.job ?? { id: null, text: "" };
    if (id !== null) parts.submitted.set(id, { text, status: readJobState(text)?.status ?? null });
    return { endpoint, id: id ?? "" };
  });
}

/** A job that is only planned has no id to cancel or retry by: that can be planned only after the submit. */
async function changeJob(kind: "cancel" | "retry", job: Job, parts: EngineParts): Promise<JobChange> {
  const { endpoint, id } = job;
  const { mutation, status } = await planJobChange(kind, { endpoint, id }, parts);
  if (mutation === null) {
    parts.note(`job ${id} had already ended: ${status}; nothing is sent`);
    return { endpoint, id, changed: false, status: status ?? "" };
  }
  const applied = await parts.mode.commit(mutation);
  const about = { step: kind, text: `the state of job ${id} afterwards` };
  return await parts.mode.onlyInApply(about, async () => {
    const read = applied?.readBack?.fields.find(({ path }) => path === "job.status")?.actual;
    return { endpoint, id, changed: applied?.status === "applied", status: String(read ?? status) };
  });
}

async function purge(endpoint: string, parts: EngineParts): Promise<PurgeResult> {
  const mutation = await planPurge(endpoint, parts);
  const applied = await parts.mode.commit(mutation);
  const about = { step: "purge", text: "how many jobs were removed" };
  return await parts.mode.onlyInApply(
    about,
    async () => applied?.purged ?? { removed: null, left: null, running: null },
  );
}
