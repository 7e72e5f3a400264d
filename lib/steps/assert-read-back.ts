import type { Ops } from "../ops.ts";
import type { Change } from "../run/change.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Asserts that fresh reads prove a change: its fields hold, and nothing else moved. Every change is read back, asserted
 * or not; in a dry run this says that it will be, never that it was.
 *
 * @throws recipe_error - the change is not of this run
 * @example
 * ```ts
 * const change = await patch(ops, before, { flashboot: "FLASHBOOT" });
 * await assertReadBack(ops, change);
 * ```
 */
export async function assertReadBack(ops: Ops, change: Change): Promise<void> {
  await engineOf(ops).assertReadBack(change);
}
