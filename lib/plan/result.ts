import type { Endpoint } from "../api/endpoint.ts";
import type { ReadbackError } from "../errors.ts";
import type { FieldChange } from "./fields.ts";
import type { Mutation } from "./mutation.ts";
import type { Plan } from "./plan.ts";
import type { ShellResult } from "./shell-mutation.ts";
import type { ReadBack } from "./verdict.ts";

export type Outcome =
  | "applied"
  | "unchanged"
  | "partial"
  | "unverified"
  | "refused"
  | "failed"
  | "interrupted";

/** `unknown`: it was sent, and no read could tell whether it is in effect. */
export type AppliedStatus = "applied" | "skipped" | "failed" | "unknown";

/** What became of one mutation. */
export interface AppliedMutation {
  readonly mutation: Mutation;
  readonly status: AppliedStatus;
  /** The read right before it was sent; null when it came to no read. */
  readonly before: Endpoint | null;
  /** The last fresh read after it; null when there is none. */
  readonly after: Endpoint | null;
  readonly readBack: ReadBack | null;
  /** What moved between plan and change without mattering to it. */
  readonly movedSincePlan: readonly FieldChange[];
  /** Why it is not both applied and verified; null when it is. */
  readonly error: ReadbackError | null;
  /** Things worth a line, such as an answer that never came. */
  readonly notes: readonly string[];
  /** Of a submit: the job's id, taken once from its answer, and that answer as it came. */
  readonly job: { readonly id: string | null; readonly text: string } | null;
  /** Of a cancel that was not sent: the state in which the job had ended by then. */
  readonly endedAs: string | null;
  /** Of a purge: counts from its answer and a fresh health read; null where one could not be read. */
  readonly purged: {
    readonly removed: number | null;
    readonly left: number | null;
    readonly running: number | null;
  } | null;
  /** What a shell command gave. */
  readonly shell: ShellResult | null;
}

/** A mutation that was not sent. */
export function skippedMutation(mutation: Mutation): AppliedMutation {
  return {
    mutation,
    status: "skipped",
    before: null,
    after: null,
    readBack: null,
    movedSincePlan: [],
    error: null,
    notes: [],
    job: null,
    endedAs: null,
    purged: null,
    shell: null,
  };
}

/** What became of a plan. `resultDocument` gives its machine form. */
export interface RunResult {
  readonly runId: string;
  readonly outcome: Outcome;
  readonly plan: Plan;
  readonly applied: readonly AppliedMutation[];
  readonly value: unknown;
  readonly error: ReadbackError | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Whether the history has it, so that `undo` finds it by its id. */
  readonly recorded: boolean;
}
