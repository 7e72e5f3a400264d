import type { Endpoint } from "../api/endpoint.ts";
import { prepareCancel, preparePurge, prepareRetry, prepareRun } from "../api/invoke.ts";
import { isTerminal } from "../api/job-text.ts";
import { ReadbackError } from "../errors.ts";
import { assertHasQueue } from "../plan/has-queue.ts";
import { type JobMutation, jobMutation } from "../plan/job-mutation.ts";
import type { SubmitRequest } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import { shownEnvelope } from "./envelope-document.ts";
import { assertMayAct } from "./grants.ts";
import type { Job } from "./job.ts";
import { jobStatusText, mayBeRetried, statusBeforeCancel } from "./job-status.ts";

/** Makes the mutation that a submit is. @throws usage_error - the endpoint has no queue */
export async function planSubmit(
  { endpoint, envelope, proof }: SubmitRequest,
  parts: EngineParts,
): Promise<JobMutation> {
  assertMayAct(parts.grants, "run", endpoint);
  const before = await queueEndpoint(endpoint, "submit a job to", parts);
  for (const warning of envelope.warnings) parts.note(warning);
  const shown = shownEnvelope(envelope.body);
  return jobMutation("run", {
    n: parts.mode.nextNumber(),
    before,
    prepared: prepareRun(parts.target, endpoint, envelope.body),
    proof,
    body: shown.document,
    hidden: shown.hidden,
    job: null,
    status: null,
    queue: null,
  });
}

/** Makes the mutation that a cancel or retry is, or null where the job had already ended and there is nothing to cancel. */
export async function planJobChange(
  kind: "cancel" | "retry",
  job: Job,
  parts: EngineParts,
): Promise<{ readonly mutation: JobMutation | null; readonly status: string | null }> {
  assertMayAct(parts.grants, kind, job.endpoint);
  const before = await queueEndpoint(job.endpoint, `${kind} a job of`, parts);
  const read = kind === "cancel" ? statusBeforeCancel : jobStatusText;
  const status = await read({ endpoint: job.endpoint, job: job.id }, parts);
  if (kind === "cancel" && status !== null && isTerminal(status)) return { mutation: null, status };
  if (kind === "retry" && (status === null || !mayBeRetried(status))) throw notRetryable(before, job, status);
  const prepare = kind === "cancel" ? prepareCancel : prepareRetry;
  const mutation = jobMutation(kind, {
    n: parts.mode.nextNumber(),
    before,
    prepared: prepare(parts.target, job.endpoint, job.id),
    proof: "read",
    body: null,
    job: job.id,
    status,
    queue: null,
  });
  return { mutation, status };
}

/** Makes the mutation that a purge is, with the number of pending jobs read just before. */
export async function planPurge(endpoint: string, parts: EngineParts): Promise<JobMutation> {
  assertMayAct(parts.grants, "purge", endpoint);
  const before = await queueEndpoint(endpoint, "purge the queue of", parts);
  const { jobs } = await parts.view.health(endpoint);
  const queue =
    jobs.inQueue === undefined ? null : { inQueue: jobs.inQueue, inProgress: jobs.inProgress ?? 0 };
  return jobMutation("purge", {
    n: parts.mode.nextNumber(),
    before,
    prepared: preparePurge(parts.target, endpoint),
    proof: "read",
    body: null,
    job: null,
    status: null,
    queue,
  });
}

async function queueEndpoint(id: string, doing: string, { view }: EngineParts): Promise<Endpoint> {
  const endpoint = await view.current(id);
  assertHasQueue(endpoint, doing);
  return endpoint;
}

function notRetryable(endpoint: Endpoint, job: Job, status: string | null): ReadbackError {
  return new ReadbackError(
    "usage_error",
    `Cannot retry job ${job.id} of ${endpoint.name}: it is ${status ?? "without a status"}, and only FAILED or TIMED_OUT jobs can be retried; a retry would delete its output`,
    { details: { endpoint: endpoint.id, jobId: job.id } },
  );
}
