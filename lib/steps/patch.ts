import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { Ops } from "../ops.ts";
import type { CompleteBodyOptions } from "../plan/complete-body.ts";
import type { Change } from "../run/change.ts";
import { engineOf } from "../run/engine.ts";
import type { KnownFieldsOnly, ScopesOf } from "./_body-types.ts";

export interface PatchOptions extends CompleteBodyOptions {}

/**
 * Changes fields of an endpoint the person named; every field needs its scope, `patch:<field>`. `pools` and
 * `excludedTypes` are always sent together, `env` keeps the keys that are not named (unless `replaceEnv`). Where the
 * endpoint already reads as asked, nothing is planned or sent.
 *
 * @throws undeclared_mutation, endpoint_not_named - refused before anything is sent, and the run sends nothing more
 * @throws usage_error - the body is malformed, or the reads prove that the service would refuse it
 * @example
 * ```ts
 * const before = await readEndpoint(ops, endpoint);
 * const change = await patch(ops, before, { workers: { max: 3 } }); // needs mutates: ["patch:workers"]
 * await assertReadBack(ops, change);
 * ```
 */
export async function patch<const B extends EndpointPatch>(
  ops: Ops<ScopesOf<B>>,
  before: Endpoint,
  body: KnownFieldsOnly<B>,
  options: PatchOptions = {},
): Promise<Change> {
  return await engineOf(ops).patch({ ...options, step: "patch", endpoint: before?.id, body, restores: null });
}
