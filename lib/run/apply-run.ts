import type { Reply } from "../api/client.ts";
import { readSubmit, type Submitted, unknownJob } from "../api/submit.ts";
import { ReadbackError } from "../errors.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { followUpOf } from "../wait/job-errors.ts";
import { jobStatusText } from "./job-status.ts";
import { proofRead, proveJob } from "./prove-job.ts";
import { announce } from "./record.ts";
import { type ApplyParts, asReadbackError, sendChange } from "./send-change.ts";

/** Submits a job. Its id is taken once, from the answer; a submit without an answer is never repeated. */
export async function applyRun(mutation: JobMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const base = { ...skippedMutation(mutation), before: mutation.before };
  try {
    await announce(mutation, mutation.before, parts);
  } catch (error) {
    return { ...base, error: asReadbackError(error) };
  }
  const patience = untilImpatient(parts.signal);
  const sent = await sendChange(mutation, mutation.prepared, { ...parts, patience: patience.signal });
  patience.end();
  if (sent.refused) return { ...base, status: "failed", error: sent.refused };
  if (sent.lost) return { ...base, status: "unknown", error: unknownJob(sent.lost, mutation.endpoint) };
  const submitted = submittedOf(sent.reply, mutation.endpoint);
  if (submitted instanceof ReadbackError) return { ...base, status: "unknown", error: submitted };
  const job = { id: submitted.job, text: submitted.text };
  // At once, so that an interrupt cannot lose it.
  parts.emit({ type: "note", text: `job ${job.id} is submitted; ${followUp(mutation.endpoint, job.id)}` });
  if (mutation.proof === "wait") return { ...base, status: "applied", job };
  const { result } = await proveJob<string | null>(mutation, parts, {
    read: () => jobStatusText({ endpoint: mutation.endpoint, job: job.id }, parts, proofRead(parts)),
    most: 2,
    path: "job.status",
    expected: "IN_QUEUE",
    holds: (status) => status !== null,
    because: () => `job ${job.id} reads back without a status`,
  });
  return { ...base, ...result, job };
}

/** How long the answer of a submit is waited for after an interrupt, in milliseconds: it holds the id of a job that bills. */
const PATIENCE_MS = 3_000;

/** A signal that is aborted a little after an interrupt. */
function untilImpatient(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const impatient = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = (): void => {
    timer = setTimeout(() => impatient.abort(signal.reason), PATIENCE_MS);
  };
  signal.addEventListener("abort", start, { once: true });
  return {
    signal: impatient.signal,
    end() {
      signal.removeEventListener("abort", start);
      clearTimeout(timer);
    },
  };
}

function followUp(endpoint: string, job: string): string {
  return `look at it with: ${followUpOf({ endpoint, job })}`;
}

function submittedOf(reply: Reply | null, endpoint: string): Submitted | ReadbackError {
  try {
    if (reply === null) throw new ReadbackError("api_error", "no reply");
    return readSubmit(reply, endpoint);
  } catch (error) {
    return asReadbackError(error);
  }
}
