import type { Health } from "../api/health.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Reads the counts of an endpoint's jobs and workers (runpod-api.md 3.4). It says nothing about whether the endpoint
 * exists, and it may disagree with the list of workers without either being wrong.
 *
 * @throws api_error - the answer has no counts; what else a read can fail with
 * @example
 * ```ts
 * const { jobs } = await health(ops, endpoint);
 * jobs.inQueue; // 3
 * ```
 */
export async function health(ops: Ops, endpoint: string): Promise<Health> {
  return await engineOf(ops).health(endpoint);
}
