/** A run as its record tells it. A run that was cut off has no outcome, and what it sent may be in effect. */
export interface RunRecord {
  readonly runId: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly outcome: string | null;
  /** `readback/plan@1`. */
  readonly plan: PlanRecord;
  readonly applied: readonly AppliedRecord[];
  readonly error: unknown;
}

/** What a record keeps of a plan, as far as the history and an undo need it. */
export interface PlanRecord {
  readonly recipe: { readonly name: string; readonly source: string };
  readonly args: Readonly<Record<string, unknown>>;
  readonly host: string;
  readonly createdAt: string;
  readonly endpoints: readonly { readonly id: string; readonly name: string }[];
  readonly mutations: readonly MutationRecord[];
}

export interface MutationRecord {
  readonly n: number;
  /** Null for a shell command. */
  readonly endpoint: string | null;
  readonly summary: string;
  readonly diff: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
  readonly undo: { readonly possible: boolean; readonly body?: unknown; readonly why?: string };
}

export interface AppliedRecord {
  readonly n: number;
  readonly status: "applied" | "skipped" | "failed" | "unknown";
  readonly readBack: { readonly verdict: string } | null;
}
