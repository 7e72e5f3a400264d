import type { ReleaseList } from "../api/releases.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Reads the releases of an endpoint, newest first, and how far the newest has come (runpod-api.md 2.9). Values of `env`
 * in their diffs are masked.
 *
 * @throws not_found; api_error - the answer is no list of releases; what else a read can fail with
 * @example
 * ```ts
 * const { rollout } = await releases(ops, endpoint);
 * rollout?.percentOnLatest; // 50
 * ```
 */
export async function releases(ops: Ops, endpoint: string): Promise<ReleaseList> {
  return await engineOf(ops).releases(endpoint);
}
