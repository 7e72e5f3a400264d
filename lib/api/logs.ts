import type { OpenedStream, StreamClient } from "./stream-client.ts";
import { segment } from "./url.ts";

export type LogSource = "container" | "system";

/** Where a stream of a worker's log begins (runpod-api.md 2.11). */
export interface LogQuery {
  /** Absent: both, which has no word of its own on the wire. */
  readonly source?: LogSource;
  /** Lines of the past, 0 to 5000; 0 is live only. @default 100, by the service */
  readonly tail?: number;
  /** RFC 3339; `tail` does not count beside it. */
  readonly since?: string;
  /** The id of a line: what came after it; beats `since`. */
  readonly lastEventId?: string;
}

/**
 * Opens the log of one worker. The service sends its headers with the first line, so that this waits for as long as the
 * worker has nothing to say (runpod-api.md 2.11).
 *
 * @throws not_found - there is no such worker (any more); what else `open` throws
 */
export async function openWorkerLogs(
  client: StreamClient,
  of: { readonly endpoint: string; readonly worker: string },
  query: LogQuery,
  signal: AbortSignal,
): Promise<OpenedStream> {
  const { source, tail, since, lastEventId } = query;
  const path = `/v2/serverless/${segment(of.endpoint, "endpoint id")}/workers/${segment(of.worker, "worker id")}/logs`;
  return await client.open(path, {
    query: {
      ...(source === undefined ? {} : { source }),
      ...(tail === undefined || since !== undefined ? {} : { tail: `${tail}` }),
      ...(since === undefined ? {} : { since }),
    },
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
    signal,
    what: `read the log of worker "${of.worker}"`,
  });
}
