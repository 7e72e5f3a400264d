import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";
import type { PurgeResult } from "../run/job.ts";

/**
 * Clears an endpoint's queue, once: every pending job, not only bad ones; running jobs go on. What is left is read
 * afterwards and reported, never purged again.
 *
 * @throws undeclared_mutation, endpoint_not_named - refused before anything is sent
 * @throws unverifiable - jobs are in the queue afterwards: submitted since, or not settled yet
 * @example
 * ```ts
 * const { removed, left } = await purge(ops, endpoint); // needs mutates: ["purge"]
 * ```
 */
export async function purge(ops: Ops<"purge">, endpoint: string): Promise<PurgeResult> {
  return await engineOf(ops).purge(endpoint);
}
