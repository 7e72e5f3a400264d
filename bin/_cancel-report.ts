import { exitStatus, ReadbackError } from "../lib/errors.ts";
import type { RunResult } from "../lib/plan/result.ts";
import type { PlannedCancel } from "./_cancel-recipe.ts";

/** What became of one job. */
export interface CancelRow {
  readonly job: string;
  /** As last read; null where no read told it. */
  readonly status: string | null;
  /** True when it was cancelled and a fresh read proves that. */
  readonly changed: boolean;
  readonly error: ReadbackError | null;
}

/** Puts plan and apply together: one row per job, in the order given. */
export function cancelRows(planned: readonly PlannedCancel[], result: RunResult): readonly CancelRow[] {
  return planned.map(({ job, ended, error }) => {
    if (error !== null || ended !== null) return { job, status: ended, changed: false, error };
    const done = result.applied.find(({ mutation }) => mutation.kind === "cancel" && mutation.job === job);
    const field = done?.readBack?.fields.find(({ path }) => path === "job.status");
    const before = done?.mutation.diff[0]?.before ?? null;
    const status = field?.actual ?? done?.endedAs ?? before;
    return {
      job,
      status: status === null ? null : String(status),
      changed: done?.status === "applied",
      error: done?.error ?? (done?.status === "skipped" && done.endedAs === null ? result.error : null),
    };
  });
}

/** One line per job, for a person. */
export function cancelText(rows: readonly CancelRow[], runId: string | null): string {
  const lines = rows.map((row) => `${row.job}  ${wordOf(row)}`);
  return [...lines, ...(runId === null ? [] : [`run ${runId}`])].join("\n");
}

/** The error of them all; null when each is cancelled or had ended before. */
export function cancelError(rows: readonly CancelRow[]): ReadbackError | null {
  const failed = rows.filter(({ error }) => error !== null);
  const gravest = failed
    .flatMap(({ error }) => (error === null ? [] : [error]))
    .sort((a, b) => exitStatus(b.code) - exitStatus(a.code))[0];
  if (gravest === undefined) return null;
  if (rows.length === 1) return gravest;
  const done = rows.length - failed.length;
  const cancelled = rows.some(({ changed }) => changed);
  const text = `${done}/${rows.length} done; not done: ${reasonsOf(failed)}`;
  return new ReadbackError(cancelled ? "partially_applied" : gravest.code, text, {
    details: { done: done, of: rows.length, failed: failed.map(({ job }) => job), stoppedBy: gravest.code },
    followUp: gravest.followUp,
  });
}

/** What a dry run cannot show, since it cannot be done; null when every job can be cancelled or had ended. */
export function plannedCancelError(planned: readonly PlannedCancel[]): ReadbackError | null {
  const failed = planned.flatMap(({ job, error }) => (error === null ? [] : [{ job, error }]));
  const [first] = failed;
  if (first === undefined || planned.length === 1) return first?.error ?? null;
  const text = `${failed.length} of ${planned.length} jobs cannot be cancelled: ${reasonsOf(failed)}`;
  return new ReadbackError(first.error.code, text, {
    details: { of: planned.length, failed: failed.map(({ job }) => job) },
  });
}

function reasonsOf(
  failed: readonly { readonly job: string; readonly error: ReadbackError | null }[],
): string {
  return failed.map(({ job, error }) => `${job} (${error?.message})`).join(", ");
}

function wordOf({ status, changed, error }: CancelRow): string {
  if (changed) return "CANCELLED, verified by a fresh read";
  if (error !== null) return `not cancelled: ${error.message}`;
  return `had already ended: ${status}; nothing was sent`;
}
