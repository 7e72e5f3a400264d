import type { LookClient } from "../api/client.ts";
import { parseHealth } from "../api/health.ts";
import { health } from "../api/invoke.ts";
import { isReadbackError } from "../errors.ts";
import type { NowLine } from "../plan/plan.ts";

/** A preview waits for it no longer than this, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Reads queue and workers of the endpoints that a plan would change. A read that fails stops nothing. */
export async function readNow(
  client: LookClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NowLine | null>> {
  const read = async (id: string): Promise<[string, NowLine | null]> => [id, await nowOf(client, id)];
  return new Map(await Promise.all([...new Set(ids)].map(read)));
}

async function nowOf(client: LookClient, id: string): Promise<NowLine | null> {
  try {
    const timeoutMs = Math.min(TIMEOUT_MS, client.target.timeoutMs);
    const { text } = await health(client, id, { attempts: 1, timeoutMs, maxRateWaitMs: 0 });
    const { jobs, workers } = parseHealth(text);
    return {
      inQueue: jobs.inQueue ?? null,
      inProgress: jobs.inProgress ?? null,
      idle: workers.idle ?? null,
    };
  } catch (error) {
    if (isReadbackError(error, "interrupted")) throw error;
    return null;
  }
}
