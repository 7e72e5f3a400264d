import type { Ops } from "../ops.ts";
import { engineOf, type LogsOptions, type LogsResult } from "../run/engine.ts";

/**
 * Reads what the workers' logs say now, side by side, without waiting for more (runpod-api.md 2.11): 100 lines of each
 * of the workers that are up, unless asked otherwise. A worker whose log could not be read hides no other: its entry in
 * `workers` has the error. `call_timeout` there may mean that it has nothing to say.
 *
 * @throws usage_error - a value that the service would refuse; conflict - no worker is up; what listing workers fails with
 * @example
 * ```ts
 * const { lines } = await logs(ops, endpoint, { source: "system", tail: 50 });
 * lines.some(({ line }) => line.includes("no space left on device")); // true
 * ```
 */
export async function logs(ops: Ops, endpoint: string, options: LogsOptions = {}): Promise<LogsResult> {
  return await engineOf(ops).logs(endpoint, options);
}
