import type { Mutation } from "../plan/mutation.ts";
import type { AppliedMutation } from "../plan/result.ts";

/** What tells a plan and an apply apart: what becomes of a change, of a wait, and of what only an apply can know. */
export interface Mode {
  readonly name: "plan" | "apply";
  /** Number of the next change. */
  nextNumber(): number;
  /** Plan: records it and gives null. Apply: sends it and reads back. @throws what stopped it */
  commit(mutation: Mutation): Promise<AppliedMutation | null>;
  /** Plan: evaluates once at most. Apply: waits. */
  wait<T extends object>(wait: Wait<T>): Promise<T>;
  /** Plan: a stand-in for what `step` gives. Apply: what it gives. */
  onlyInApply<T extends object>(about: { step: string; text: string }, work: () => Promise<T>): Promise<T>;
}

/** Something that is waited for. */
export interface Wait<T> {
  /** What for, in words: `job c165626f-… to end`. */
  readonly for: string;
  readonly budgetMs: number;
  /** Looks once; null where it is not there yet, or cannot be told without an apply. */
  readonly once: () => Promise<T | null>;
  /** Looks until it is there. @throws wait_timeout */
  readonly untilThere: () => Promise<T>;
}
