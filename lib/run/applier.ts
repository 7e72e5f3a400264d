import type { ErrorCode } from "../errors.ts";
import type { Mutation } from "../plan/mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { applyMutation } from "./apply-mutation.ts";
import { deadlineSignal } from "./deadline-signal.ts";
import { type ApplyParts, interruptedError } from "./send-change.ts";

/** How long putting back may take after a failure or an interrupt, in milliseconds. */
const RESTORE_DEADLINE_MS = 30_000;

/** Applies the changes of one run, one after the other, and keeps what became of each. */
export interface Applier {
  readonly applied: readonly AppliedMutation[];
  /** Applies a change, unless an earlier one stopped the run; cancels do not stop each other. */
  apply(mutation: Mutation): Promise<AppliedMutation>;
  /** Ends the run: of the planned changes not reached, those that put back what was sent still run, the others are skipped. */
  finish(planned: readonly Mutation[]): Promise<void>;
}

/** Makes the applier of one run. */
export function createApplier(parts: ApplyParts): Applier {
  const applied: AppliedMutation[] = [];
  parts.signal.addEventListener("abort", () => parts.gate.close("the run was interrupted"), { once: true });

  async function next(mutation: Mutation): Promise<AppliedMutation> {
    if (parts.signal.aborted) return { ...skippedMutation(mutation), error: interruptedError() };
    if (applied.some((done) => stops(done, mutation))) return skippedMutation(mutation);
    return await applyMutation(mutation, parts);
  }
  async function putBack(mutation: Mutation): Promise<AppliedMutation> {
    const { signal, end } = deadlineSignal(RESTORE_DEADLINE_MS);
    try {
      return await applyMutation(mutation, { ...parts, signal });
    } finally {
      end();
    }
  }
  function putsBackWhatWasSent(mutation: Mutation): boolean {
    const moved = applied.find((done) => done.mutation.n === mutation.restores);
    return moved !== undefined && moved.status !== "skipped" && moved.status !== "failed";
  }

  return {
    applied,
    async apply(mutation) {
      const done = await next(mutation);
      applied.push(done);
      return done;
    },
    async finish(planned) {
      const reached = new Set(applied.map((done) => done.mutation.n));
      const left = planned.filter((mutation) => !reached.has(mutation.n));
      if (left.length > 0) parts.gate.close("the run was stopped");
      for (const mutation of left) {
        const back = putsBackWhatWasSent(mutation);
        applied.push(back ? await putBack(mutation) : skippedMutation(mutation));
      }
    },
  };
}

/** These end a run whatever comes next. */
const END: readonly ErrorCode[] = [
  "unauthorized",
  "forbidden",
  "no_credentials",
  "interrupted",
  "undeclared_mutation",
];

/** Each change rests on the ones before it, but for cancels: one job that cannot be cancelled says nothing about another. */
function stops({ error, mutation }: AppliedMutation, next: Mutation): boolean {
  if (error === null) return false;
  return !(mutation.kind === "cancel" && next.kind === "cancel") || END.includes(error.code);
}
