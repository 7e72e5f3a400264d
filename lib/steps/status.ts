import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";
import type { Job, JobResult } from "../run/job.ts";

/**
 * Reads a job as it is now. In a dry run the status of a job that is only planned is known later.
 *
 * @throws not_found - its result expired, its TTL ended, or the id is wrong; what else a read can fail with
 * @example
 * ```ts
 * const { status: state, delayTimeMs } = await status(ops, { endpoint, id: job });
 * ```
 */
export async function status(ops: Ops, job: Job): Promise<JobResult> {
  return await engineOf(ops).status(job);
}
