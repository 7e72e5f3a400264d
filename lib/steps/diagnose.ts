import type { Document } from "../diagnose/document.ts";
import type { Symptom } from "../diagnose/reads.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

export interface DiagnoseOptions {
  /** Id of a job to explain. */
  readonly job?: string | undefined;
  /** What the person says is wrong: it widens the reads. */
  readonly symptom?: Symptom | undefined;
}

/**
 * Says why an endpoint is slow, stuck or failing, by looking alone: `readback/diagnosis@1` (docs/json.md). It submits no job
 * and wakes no worker.
 *
 * @param endpoint id or name
 * @throws not_found; what config, health or workers cannot be read with: a failed read is no diagnosis
 * @example
 * ```ts
 * const { verdict, findings } = await diagnose(ops, "4m7x2k9q");
 * findings[0]?.cause; // "crash_loop"
 * ```
 */
export async function diagnose(ops: Ops, endpoint: string, options: DiagnoseOptions = {}): Promise<Document> {
  return await engineOf(ops).diagnose(endpoint, options);
}
