import type { Endpoint } from "../api/endpoint.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Reads an endpoint. In a dry run, after a planned change of it, this is what it will read like; `isPredicted` tells.
 *
 * @param id the endpoint's id; what `arg.endpoint()` gives
 * @throws not_found, unauthorized, forbidden, and what a read can fail with
 * @example
 * ```ts
 * const endpoint = await readEndpoint(ops, "4m7x2k9q");
 * endpoint.workers.max; // 5
 * ```
 */
export async function readEndpoint(ops: Ops, id: string): Promise<Endpoint> {
  return await engineOf(ops).readEndpoint(id);
}
