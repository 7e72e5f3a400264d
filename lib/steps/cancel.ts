import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";
import type { Job, JobChange } from "../run/job.ts";

/**
 * Cancels a queued or running job. Its status is read first: of a job that had already ended nothing is sent, and
 * `changed` is false. A fresh status proves the cancel; one that ended in between is not_applied.
 *
 * @throws undeclared_mutation, endpoint_not_named - refused before anything is sent
 * @throws not_found - its result expired, its TTL ended, or the id is wrong
 * @example
 * ```ts
 * const { changed, status } = await cancel(ops, { endpoint, id: job }); // needs mutates: ["cancel"]
 * ```
 */
export async function cancel(ops: Ops<"cancel">, job: Job): Promise<JobChange> {
  return await engineOf(ops).changeJob("cancel", job);
}
