import type { JobKind, JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { applyCancel } from "./apply-cancel.ts";
import { applyPurge } from "./apply-purge.ts";
import { applyRetry } from "./apply-retry.ts";
import { applyRun } from "./apply-run.ts";
import { type ApplyParts, interruptedError } from "./send-change.ts";

type ApplyOne = (mutation: JobMutation, parts: ApplyParts) => Promise<AppliedMutation>;

const APPLY: Readonly<Record<JobKind, ApplyOne>> = {
  run: applyRun,
  cancel: applyCancel,
  retry: applyRetry,
  purge: applyPurge,
};

/** Applies a change of an endpoint's jobs. It is never sent twice. */
export async function applyJob(mutation: JobMutation, parts: ApplyParts): Promise<AppliedMutation> {
  if (parts.signal.aborted) return { ...skippedMutation(mutation), error: interruptedError() };
  return await APPLY[mutation.kind](mutation, parts);
}
