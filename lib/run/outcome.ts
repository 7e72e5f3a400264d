import { exitStatus, ReadbackError } from "../errors.ts";
import type { AppliedMutation, Outcome } from "../plan/result.ts";
import { interruptedError } from "./send-change.ts";

/**
 * The error that decides the exit status: an interrupt first, then the gravest of the changes, then what the recipe
 * itself ended with.
 */
export function errorOf(
  applied: readonly AppliedMutation[],
  thrown: ReadbackError | null,
  signal: AbortSignal,
): ReadbackError | null {
  const unfinished =
    thrown !== null || applied.some((done) => done.status !== "applied" && done.error !== null);
  const skipped = applied.some((done) => done.status === "skipped");
  if (signal.aborted && (unfinished || skipped))
    return thrown?.code === "interrupted" ? thrown : interruptedError();
  const errors = [...applied.map((done) => done.error), thrown].filter((error) => error !== null);
  const gravest = [...errors].sort((a, b) => exitStatus(b.code) - exitStatus(a.code))[0];
  if (gravest === undefined) return null;
  const changed = applied.filter((done) => done.status === "applied");
  // A wait or job that ends badly after everything was verified is its own error; a change that was refused is a gap.
  const gap =
    changed.length < applied.length || (thrown !== null && [2, 3, 4].includes(exitStatus(thrown.code)));
  const partial = changed.length > 0 && gap;
  return partial ? partialError(applied, gravest) : gravest;
}

/** How a run ended, in one word. A job that had ended before its cancel leaves a run unchanged. */
export function outcomeOf(applied: readonly AppliedMutation[], error: ReadbackError | null): Outcome {
  if (error === null) return applied.every((done) => done.status === "skipped") ? "unchanged" : "applied";
  if (error.code === "interrupted") return "interrupted";
  if (error.code === "partially_applied") return "partial";
  const status = exitStatus(error.code);
  return status === 5 ? "unverified" : status === 3 || status === 4 ? "refused" : "failed";
}

function partialError(applied: readonly AppliedMutation[], cause: ReadbackError): ReadbackError {
  const done = applied.filter((one) => one.status === "applied").map((one) => one.mutation.n);
  return new ReadbackError(
    "partially_applied",
    `Applied change ${done.join(", ")}, then stopped: ${cause.message}`,
    { cause, details: { ...cause.details, applied: done, stoppedBy: cause.code } },
  );
}
