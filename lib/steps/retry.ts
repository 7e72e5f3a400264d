import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";
import type { Job, JobChange } from "../run/job.ts";

/**
 * Runs a job again that FAILED or TIMED_OUT, with the same id and input; it bills again and its earlier output is lost
 * (runpod-api.md 3.1).
 *
 * @throws undeclared_mutation, endpoint_not_named - refused before anything is sent
 * @throws usage_error - the job is in another state
 * @example
 * ```ts
 * await retry(ops, { endpoint, id: job }); // needs mutates: ["retry"]
 * ```
 */
export async function retry(ops: Ops<"retry">, job: Job): Promise<JobChange> {
  return await engineOf(ops).changeJob("retry", job);
}
