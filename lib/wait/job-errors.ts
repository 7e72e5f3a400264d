import { isCompleted, isTerminal, readJobFacts } from "../api/job-text.ts";
import { payloadOf, withPayload } from "../api/payload-error.ts";
import { ReadbackError } from "../errors.ts";
import { durationText } from "./duration-text.ts";

/** Which job an error is about. */
export interface JobName {
  readonly endpoint: string;
  readonly job: string;
}

/** The last that was seen of a job. */
export interface Seen {
  readonly text: string;
  readonly status: string | null;
}

/** The command that looks at a job later. */
export function followUpOf({ endpoint, job }: JobName): string {
  return `readback serverless status ${endpoint} ${job}`;
}

/** The error of a wait whose budget is spent: the job goes on, and must not be submitted again. */
export function waitTimeout(name: JobName, budgetMs: number, seen: Seen | null): ReadbackError {
  const last = seen?.status ? `, last seen ${seen.status}` : "";
  const text = `gave up waiting for job ${name.job} after ${durationText(budgetMs)}${last}; do not submit it again, look at it with: ${followUpOf(name)}`;
  return withPayload("wait_timeout", text, { ...about(name), payload: seen?.text ?? null });
}

/** The error of a job that has ended as anything but COMPLETED; null while it goes on or when it is a success. */
export function jobFailed(name: JobName, { text, status }: Seen): ReadbackError | null {
  if (status === null || !isTerminal(status) || isCompleted(status)) return null;
  const reason = reasonOf(readJobFacts(text).error);
  return withPayload("job_failed", `job ${name.job} ended as ${status}${reason}`, {
    details: { ...detailsOf(name), status },
    payload: text,
  });
}

/** The error of an interrupt: the job goes on by itself. */
export function waitInterrupted(name: JobName, cause: unknown, seen: Seen | null): ReadbackError {
  const code = cause instanceof ReadbackError ? cause.code : "interrupted";
  const why = cause instanceof ReadbackError ? cause.message : "Interrupted";
  const text = `${why}; job ${name.job} goes on, look at it with: ${followUpOf(name)}`;
  return withPayload(code, text, { ...about(name), cause, payload: seen?.text ?? null });
}

/** Names the job in an error that ended a wait, and keeps the last payload; a 404 says what it can mean. */
export function explainRead(error: ReadbackError, name: JobName, seen: Seen | null): ReadbackError {
  const missing = error.code === "not_found";
  const text = missing ? `${goneText(name, seen)} (HTTP 404)` : error.message;
  return withPayload(error.code, text, {
    retryable: error.retryable,
    status: error.status,
    followUp: missing ? null : (error.followUp ?? followUpOf(name)),
    details: { ...error.details, ...detailsOf(name) },
    cause: error,
    payload: payloadOf(error) ?? seen?.text ?? null,
  });
}

/** Three causes have this one answer (runpod-api.md 3.5). */
function goneText({ endpoint, job }: JobName, seen: Seen | null): string {
  if (seen === null) {
    return `Cannot find job "${job}" on endpoint "${endpoint}": the id or the endpoint is wrong, or its result has expired (30 min after it ended), or its TTL has passed (24 h after the submit, where the submit set no other)`;
  }
  const last = seen.status === null ? "seen" : `seen ${seen.status}`;
  return `Job "${job}" of endpoint "${endpoint}" was ${last} and is gone now: the id is right, so its TTL has passed, which removes a job even while it runs, or its result has expired (30 min after it ended)`;
}

function about(name: JobName) {
  return { followUp: followUpOf(name), details: detailsOf(name) };
}

function detailsOf({ endpoint, job }: JobName) {
  return { jobId: job, endpoint };
}

const LONGEST_REASON = 500;

/** A handler that raised gives JSON inside a text, with the message in it (runpod-api.md 3.4). */
function reasonOf(error: string | null): string {
  if (error === null) return "";
  const line = (messageInside(error) ?? error).replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  if (line === "") return "";
  return `: ${line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line}`;
}

function messageInside(error: string): string | null {
  try {
    const inside: unknown = JSON.parse(error);
    const message =
      typeof inside === "object" && inside !== null ? Reflect.get(inside, "error_message") : null;
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}
