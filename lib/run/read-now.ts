import type { Health } from "../api/health.ts";
import { isReadbackError } from "../errors.ts";
import type { NowLine } from "../plan/plan.ts";
import type { Target } from "../target.ts";
import type { View } from "./view.ts";

/** A preview waits for it no longer than this, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Queue and workers of the endpoints that a plan would change: as its steps read them, else read now. */
export async function readNow(
  view: View,
  target: Target,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NowLine | null>> {
  const read = async (id: string): Promise<[string, NowLine | null]> => {
    const health = view.healths.get(id) ?? (await healthOrNull(view, target, id));
    return [id, health && nowLine(health)];
  };
  return new Map(await Promise.all([...new Set(ids)].map(read)));
}

/** Reads health where a preview only states it: a read that fails stops nothing. @throws interrupted */
export async function healthOrNull(view: View, target: Target, id: string): Promise<Health | null> {
  try {
    const timeoutMs = Math.min(TIMEOUT_MS, target.timeoutMs);
    return await view.health(id, { attempts: 1, timeoutMs, maxRateWaitMs: 0 });
  } catch (error) {
    if (isReadbackError(error, "interrupted")) throw error;
    return null;
  }
}

function nowLine({ jobs, workers }: Health): NowLine {
  return {
    inQueue: jobs.inQueue ?? null,
    inProgress: jobs.inProgress ?? null,
    idle: workers.idle ?? null,
  };
}
