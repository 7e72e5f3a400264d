import type { WorkerList } from "../api/workers.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Reads the workers of an endpoint that are up, with their counts by status (runpod-api.md 2.8). It may disagree with
 * `health` without either being wrong, and a worker may read `RUNNING` while its container cannot start.
 *
 * @throws not_found; api_error - the answer is no list of workers; what else a read can fail with
 * @example
 * ```ts
 * const { summary } = await workers(ops, endpoint);
 * summary.throttled; // 1
 * ```
 */
export async function workers(ops: Ops, endpoint: string): Promise<WorkerList> {
  return await engineOf(ops).workers(endpoint);
}
