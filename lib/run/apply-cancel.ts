import { isTerminal } from "../api/job-text.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { jobStatusText, statusBeforeCancel } from "./job-status.ts";
import { PROOF_READ, proveJob } from "./prove-job.ts";
import { announce } from "./record.ts";
import { type ApplyParts, asReadbackError, sendChange } from "./send-change.ts";

/**
 * Cancels a job. One that a read shows ended before is left alone, and nothing is sent; one that ended in between is
 * `not_applied`; otherwise a fresh status proves it. The answer of the cancel is no proof.
 */
export async function applyCancel(mutation: JobMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const base = { ...skippedMutation(mutation), before: mutation.before };
  try {
    const now = await statusBeforeCancel(mutation, parts);
    if (now !== null && isTerminal(now))
      return {
        ...base,
        endedAs: now,
        notes: [`job ${mutation.job} had already ended: ${now}; nothing was sent`],
      };
    await parts.cancelPace.next(parts.signal);
    await announce(mutation, mutation.before, parts);
  } catch (error) {
    return { ...base, error: asReadbackError(error) };
  }
  const sent = await sendChange(mutation, mutation.prepared, parts);
  if (sent.refused) return { ...base, status: "failed", error: sent.refused };
  const timeoutMs = Math.min(PROOF_READ.timeoutMs, parts.cancelReadMs ?? Number.POSITIVE_INFINITY);
  const { result } = await proveJob<string | null>(mutation, parts, {
    read: () => jobStatusText(mutation, parts, { ...PROOF_READ, timeoutMs }),
    path: "job.status",
    expected: "CANCELLED",
    holds: (status) => status?.toUpperCase() === "CANCELLED",
    final: (status) => status !== null && isTerminal(status),
    because: (status) =>
      status !== null && isTerminal(status)
        ? `the job ended as ${status} before the cancel; nothing was cancelled`
        : `the job still reads ${status}`,
  });
  return { ...base, ...result };
}
