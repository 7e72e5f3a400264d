import type { GpuType } from "../api/catalog.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Reads the GPU catalog for serverless: types, pools, list prices in USD per hour, and stock (runpod-api.md 2.12). It is
 * read once in a run.
 *
 * @throws what a read can fail with
 * @example
 * ```ts
 * const types = await gpuTypes(ops);
 * types.find((type) => type.id === "NVIDIA L40S")?.pool; // "ADA_48_PRO"
 * ```
 */
export async function gpuTypes(ops: Ops): Promise<readonly GpuType[]> {
  return await engineOf(ops).gpuTypes();
}
