import type { EndpointPatch } from "../api/endpoint.ts";
import { ReadbackError } from "../errors.ts";
import type { Ops } from "../ops.ts";
import type { Change } from "../run/change.ts";
import { engineOf } from "../run/engine.ts";
import type { KnownFieldsOnly, ScopesOf } from "./_body-types.ts";

/**
 * Puts something back that a change of this run moved, such as the old `workers.max`. It is a change of its own in the
 * plan; it rests only on the fields it writes, and it also runs after a failure, a refusal or an interrupt, within 30 s.
 *
 * @throws recipe_error - the change is not of this run
 * @throws undeclared_mutation, endpoint_not_named, usage_error - as `patch`
 * @example
 * ```ts
 * const stop = await patch(ops, before, { workers: { max: 0 } });
 * await restoring(ops, stop, { workers: { max: before.workers.max } });
 * ```
 */
export async function restoring<const B extends EndpointPatch>(
  ops: Ops<ScopesOf<B>>,
  change: Change,
  body: KnownFieldsOnly<B>,
): Promise<Change> {
  const engine = engineOf(ops);
  if (typeof change?.endpoint !== "string")
    throw new ReadbackError("recipe_error", "restoring was not given what patch gives");
  return await engine.patch({ step: "restoring", endpoint: change.endpoint, body, restores: change });
}
