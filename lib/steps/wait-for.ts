import { ReadbackError } from "../errors.ts";
import type { Ops } from "../ops.ts";
import { engineOf, type JobWaitOptions } from "../run/engine.ts";
import type { Job, JobResult } from "../run/job.ts";
import { laterInfo } from "../run/later.ts";

/** Something to wait for: a read that is repeated until its value is as wanted. */
export interface Awaited<T> {
  /** In words, for the preview: `the queue to drain`. */
  readonly for: string;
  /** One look, such as `() => health(ops, endpoint)`. */
  readonly read: () => Promise<T>;
  readonly until: (value: T) => boolean;
}

/**
 * Waits for a job to end, or for a read to be as wanted, within a budget (`budgetMs`, default 5 minutes). A read that hangs
 * or fails for the moment is one failed poll, bounded by `--timeout` and the budget. Between two reads it pauses by
 * `intervals` (default 500 ms, growing by half to 5 s); `signal` ends the wait and the request in flight. A dry run looks once: unless it is there already, what the wait gives is a
 * stand-in.
 *
 * @throws wait_timeout - the budget ran out; what was waited for goes on: poll it, do not repeat it
 * @throws job_failed - the job ended in another way than COMPLETED (unless `allowFailure`)
 * @example
 * ```ts
 * const result = await waitFor(ops, job, { budgetMs: 60_000 });
 * await waitFor(ops, { for: "no workers", read: () => health(ops, endpoint), until: (h) => h.workers.running === 0 });
 * ```
 */
export async function waitFor(ops: Ops, job: Job, options?: JobWaitOptions): Promise<JobResult>;
export async function waitFor<T extends object>(
  ops: Ops,
  what: Awaited<T>,
  options?: Pick<JobWaitOptions, "budgetMs" | "intervals" | "signal">,
): Promise<T>;
export async function waitFor(
  ops: Ops,
  what: Job | Awaited<object>,
  options: JobWaitOptions = {},
): Promise<object> {
  const engine = engineOf(ops);
  assertIntervals(options.intervals);
  // Asking for `until` would be a look at a job that is not submitted yet.
  if (!isAwaited(what)) return await engine.waitForJob(what, options);
  const { budgetMs = DEFAULT_BUDGET_MS, intervals, signal } = options;
  return await engine.waitUntil({
    ...what,
    budgetMs,
    ...(intervals === undefined ? {} : { intervals }),
    ...(signal === undefined ? {} : { signal }),
  });
}

const DEFAULT_BUDGET_MS = 300_000;

function assertIntervals(intervals: JobWaitOptions["intervals"]): void {
  if (intervals === undefined) return;
  const { firstMs, factor, maxMs } = intervals;
  if (firstMs > 0 && factor >= 1 && maxMs >= firstMs && Number.isFinite(maxMs * factor)) return;
  throw new ReadbackError(
    "recipe_error",
    `waitFor was given intervals ${JSON.stringify(intervals)}: firstMs must be above 0, factor at least 1, maxMs at least firstMs`,
  );
}

function isAwaited(what: Job | Awaited<object>): what is Awaited<object> {
  return laterInfo(what) === null && "until" in what;
}
