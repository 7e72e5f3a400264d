import { listWorkers } from "../api/control.ts";
import type { LogQuery } from "../api/logs.ts";
import { parseWorkers } from "../api/workers.ts";
import { ReadbackError } from "../errors.ts";
import { readWorker, type WorkerLog, type WorkerReading } from "./read-worker.ts";

export interface LogsRequest extends Omit<WorkerReading, "query" | "maxWaitMs" | "resume"> {
  readonly query: LogQuery;
  /** The workers to read; empty: all that are up. */
  readonly workers: readonly string[];
  /** In milliseconds, for all of it. @default 5000 */
  readonly maxWaitMs?: number;
}

/** Logs that are open at once (runpod-api.md 7.5). */
export const MOST_AT_ONCE = 32;

const MAX_WAIT_MS = 5_000;

/**
 * Reads what the logs of an endpoint's workers say now, side by side: the tail of each, until it is quiet for 750 ms or
 * the time is over. What one worker failed with is in its result, and hides no other.
 *
 * @throws conflict - no worker is up; what listing the workers can fail with; interrupted
 */
export async function readLogs(request: LogsRequest): Promise<readonly WorkerLog[]> {
  const { endpoint, maxWaitMs = MAX_WAIT_MS } = request;
  const workers = request.workers.length > 0 ? request.workers : await workersUp(request);
  if (workers.length === 0) {
    throw new ReadbackError(
      "conflict",
      `No worker of endpoint "${endpoint}" is up, so there is no log to read`,
      {
        followUp: `readback serverless logs ${endpoint} --follow`,
        details: { endpoint },
      },
    );
  }
  const reading: WorkerReading = { ...request, maxWaitMs };
  const results: WorkerLog[] = [];
  const waiting = workers.map((worker, i) => ({ worker, i }));
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next.i] = await readWorker(next.worker, reading);
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, workers.length) }, take));
  return results;
}

/** The ids of the workers that are up, as the service lists them. */
export async function workersUp({
  client,
  endpoint,
  signal,
}: Pick<LogsRequest, "client" | "endpoint" | "signal">): Promise<readonly string[]> {
  const { workers } = parseWorkers((await listWorkers(client, endpoint, { signal })).text);
  return workers.map(({ id }) => id);
}
