import { ReadbackError } from "../errors.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { jobStatusText, mayBeRetried } from "./job-status.ts";
import { proofRead, proveJob } from "./prove-job.ts";
import { announce } from "./record.ts";
import { type ApplyParts, asReadbackError, sendChange } from "./send-change.ts";

/** Retries a job that failed or timed out; its earlier output is lost. A fresh status proves it. */
export async function applyRetry(mutation: JobMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const base = { ...skippedMutation(mutation), before: mutation.before };
  try {
    const now = await jobStatusText(mutation, parts, { signal: parts.signal });
    if (now === null || !mayBeRetried(now)) throw moved(mutation, now);
    await announce(mutation, mutation.before, parts);
  } catch (error) {
    return { ...base, error: asReadbackError(error) };
  }
  const sent = await sendChange(mutation, mutation.prepared, parts);
  if (sent.refused) return { ...base, status: "failed", error: sent.refused };
  const { result } = await proveJob<string | null>(mutation, parts, {
    lost: sent.lost,
    read: () => jobStatusText(mutation, parts, proofRead(parts)),
    path: "job.status",
    expected: "IN_QUEUE",
    holds: (status) => status !== null && !mayBeRetried(status) && status.toUpperCase() !== "CANCELLED",
    because: (status) => `the job still reads ${status}; it may have failed again at once`,
    otherwise: "unverifiable",
  });
  return { ...base, ...result };
}

function moved({ before, job, diff }: JobMutation, now: string | null): ReadbackError {
  const planned = diff[0]?.before ?? null;
  return new ReadbackError(
    "drift",
    `Refused to retry job ${job} of ${before.name} before sending it: it was ${planned} in the plan and is ${now} now`,
    { details: { endpoint: before.id, jobId: job, path: "job.status", planned, found: now } },
  );
}
