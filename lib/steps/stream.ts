import type { Ops } from "../ops.ts";
import { engineOf, type StreamOptions, type StreamResult } from "../run/engine.ts";
import type { Job } from "../run/job.ts";

/**
 * Takes a job's chunks as they come, to its end. The service hands each chunk out once, so this never runs in a dry run,
 * where the result is a stand-in.
 *
 * @throws what a read can fail with; chunks that a lost reply held are lost
 * @example
 * ```ts
 * await stream(ops, job, { onChunk: (text) => ops.note(text) });
 * ```
 */
export async function stream(ops: Ops, job: Job, options: StreamOptions): Promise<StreamResult> {
  return await engineOf(ops).stream(job, options);
}
