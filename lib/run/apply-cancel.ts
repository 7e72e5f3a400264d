import { isTerminal } from "../api/job-text.ts";
import type { ReadbackError } from "../errors.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { jobStatusText, statusBeforeCancel } from "./job-status.ts";
import { type JobProof, type Proved, proofRead, proveJob } from "./prove-job.ts";
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
  const once = proofRead(parts);
  const timeoutMs = Math.min(
    once.timeoutMs ?? Number.POSITIVE_INFINITY,
    parts.cancelReadMs ?? Number.POSITIVE_INFINITY,
  );
  const read = (): Promise<string | null> => jobStatusText(mutation, parts, { ...once, timeoutMs });
  if (sent.refused === null) return { ...base, ...(await prove(mutation, parts, { read, lost: sent.lost })) };
  const status = await afterRefusal(sent.refused, read);
  if (status === null) return { ...base, status: "failed", error: sent.refused };
  return { ...base, ...(await prove(mutation, parts, { read: async () => status, lost: null })) };
}

/** A refusal can mean that the job ended in between: the state it ended in, or null where no read says so. */
async function afterRefusal(
  { status }: ReadbackError,
  read: () => Promise<string | null>,
): Promise<string | null> {
  if (status === null || !ABOUT_THE_JOB.includes(status)) return null;
  const now = await read().catch(() => null);
  return now !== null && isTerminal(now) ? now : null;
}

/** What a service may answer to the cancel of a job that has ended; the facts name none. */
const ABOUT_THE_JOB: readonly number[] = [400, 404, 409, 422];

async function prove(
  mutation: JobMutation,
  parts: ApplyParts,
  how: Pick<JobProof<string | null>, "read" | "lost">,
): Promise<Proved<string | null>["result"]> {
  const { result } = await proveJob<string | null>(mutation, parts, {
    ...how,
    path: "job.status",
    expected: "CANCELLED",
    holds: (status) => status?.toUpperCase() === "CANCELLED",
    final: (status) => status !== null && isTerminal(status),
    because: (status) =>
      status !== null && isTerminal(status)
        ? `the job ended as ${status} before the cancel; nothing was cancelled`
        : `the job still reads ${status}`,
  });
  return result;
}
