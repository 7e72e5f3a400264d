import type { Cost } from "../plan/cost.ts";

/** Every cause that a diagnosis can name (`readback/diagnosis@1`). */
export const CAUSES = [
  "worker_limit",
  "idle_scale_down",
  "account_quota",
  "capacity",
  "cuda_constraint",
  "crash_loop",
  "out_of_memory",
  "image_pull",
  "registry_auth",
  "missing_model_or_module",
  "gated_model",
  "disk_full",
  "cold_start",
  "slow_scaler",
  "not_dispatching",
  "sdk_job_funnel",
  "poison_job",
  "load_balancer_unready",
  "bad_payload",
  "rollout_in_progress",
  "throttled_leftover",
] as const;

export type Cause = (typeof CAUSES)[number];

/** `info` is worth knowing and no problem. */
export type Severity = "critical" | "warning" | "info";

/** A value as a read gave it, or a line of a worker's log. */
export type Evidence = FieldEvidence | LogEvidence;

export interface FieldEvidence {
  /** `endpoint`, `health`, `earlierHealth` (the first of two samples), `workers`, `job`, `gpuTypes`, … */
  readonly read: string;
  readonly field: string;
  readonly value: unknown;
}

export interface LogEvidence {
  readonly read: "logs";
  readonly worker: string;
  /** As the log has it. */
  readonly line: string;
  /** ISO 8601, as the log has it; null where it does not say. */
  readonly ts: string | null;
}

export interface Recommendation {
  readonly text: string;
  /** What to paste, where one command truly fixes it; else null. */
  readonly command: string | null;
  /** What the command changes in cost; null where it changes nothing, or where there is no command. */
  readonly cost: Cost | null;
}

export interface Finding {
  readonly cause: Cause;
  readonly severity: Severity;
  readonly summary: string;
  readonly evidence: readonly Evidence[];
  /** In the order to try them. */
  readonly recommendations: readonly Recommendation[];
}

export interface RuledOut {
  readonly cause: Cause;
  readonly because: string;
}

/** A question that the reads leave open, and the read that would settle it. */
export interface Unsettled {
  readonly because: string;
  readonly read: string;
  /** The command that makes the read; null where there is none yet. */
  readonly command: string | null;
}

/** What a rule says; null where it has nothing to say. */
export type Outcome =
  | { readonly finding: Finding }
  | { readonly ruledOut: RuledOut }
  | { readonly unsettled: Unsettled }
  | null;

export type Verdict = "healthy" | "problem" | "unclear";

/** Gives advice without a command. */
export function advice(text: string): Recommendation {
  return { text, command: null, cost: null };
}

/** Says that a cause is not it. */
export function ruledOut(cause: Cause, because: string): Outcome {
  return { ruledOut: { cause, because } };
}
