import type { LookClient } from "../api/client.ts";
import { isTerminal } from "../api/job-text.ts";
import type { Clock } from "../clock.ts";
import { isReadbackError, type ReadbackError } from "../errors.ts";
import { createJobReader, type JobReading } from "./_read-job.ts";
import { explainRead, jobFailed, type Seen, waitInterrupted, waitTimeout } from "./job-errors.ts";
import { type Intervals, type WaitEvent, waitFor } from "./wait-for.ts";

export type JobWaitEvent =
  | WaitEvent
  /** The job was seen in another state than before. */
  | { readonly kind: "status"; readonly status: string; readonly text: string; readonly waitedMs: number }
  /** Nothing new for a while. */
  | { readonly kind: "still_waiting"; readonly status: string | null; readonly waitedMs: number }
  /** `/status-sync` is not used any more in this wait. */
  | { readonly kind: "polling"; readonly reason: string };

export interface WaitForJobParts {
  readonly client: LookClient;
  readonly clock: Clock;
  readonly endpoint: string;
  /** As the submit named it; no later reply changes it. */
  readonly job: string;
  /** How long to wait in all, in milliseconds; it can be overrun by up to 1 s. */
  readonly budgetMs: number;
  /** When the budget began, by the clock: before the submit, where there was one. @default now */
  readonly sinceMs?: number;
  /** What the submit answered. @default nothing is known */
  readonly known?: Seen;
  /** Ends the wait and the request in flight; the job goes on. */
  readonly signal: AbortSignal;
  /** Let the service hold `/status-sync` where it does. @default true */
  readonly hold?: boolean;
  /** How the pauses between polls grow. @default POLLING */
  readonly intervals?: Intervals;
  /** Deadline of each call, in milliseconds. @default the target's */
  readonly callTimeoutMs?: number;
  readonly onEvent?: (event: JobWaitEvent) => void;
}

/** How a wait for a job ended. */
export interface JobWait {
  readonly ended: "terminal" | "budget";
  /** The last payload received, as it came; null where none was. */
  readonly text: string | null;
  readonly status: string | null;
  /** job_failed, or wait_timeout, with the payload; null for a job that COMPLETED. */
  readonly error: ReadbackError | null;
  /** The last passing failure, where the wait ended in one. */
  readonly lastFailure: ReadbackError | null;
  /** By this machine's clock, from `sinceMs`, in milliseconds; the job's own times do not add up to it (runpod-api.md 3.4). */
  readonly waitedMs: number;
}

/** A hold long, so that holding tells as often as polling. */
const HEARTBEAT_MS = 25_000;

/**
 * Waits until a job has ended or the budget is spent. It holds at `/status-sync` where the service does that, and polls
 * `/status` otherwise, 500 ms growing by half to 5 s; never more than 25 requests in 10 s. Timeouts, 429, 5xx and broken
 * connections are waited out; it cancels nothing.
 *
 * @throws not_found, unauthorized, forbidden, bad_request, api_error, interrupted; each with the last payload received
 */
export async function waitForJob(parts: WaitForJobParts): Promise<JobWait> {
  const { clock, budgetMs, signal } = parts;
  const sinceMs = parts.sinceMs ?? clock.now();
  const told = createNews(parts, sinceMs);
  let seen: JobReading | null = parts.known === undefined ? null : { ...parts.known, held: true };
  const read = createJobReader({
    ...parts,
    hold: parts.hold ?? true,
    onPolling: (reason) => parts.onEvent?.({ kind: "polling", reason }),
  });
  try {
    const waited = await waitFor<JobReading | null>({
      clock,
      budgetMs,
      sinceMs,
      signal,
      callTimeoutMs: parts.callTimeoutMs ?? parts.client.target.timeoutMs,
      ...(seen === null ? {} : { known: seen }),
      ...(parts.intervals === undefined ? {} : { intervals: parts.intervals }),
      read: async (at) => {
        told.heartbeat(seen);
        return await read(at, seen);
      },
      onValue: (reading) => {
        if (reading === null) return;
        told.status(reading, seen);
        seen = { ...reading, status: reading.status ?? seen?.status ?? null };
      },
      until: (reading) => isTerminal(reading?.status ?? ""),
      goOnAtOnce: (reading) => reading?.held === true && parts.hold !== false,
      ...(parts.onEvent === undefined ? {} : { onEvent: parts.onEvent }),
    });
    return endOf(parts, seen, waited);
  } catch (thrown) {
    if (signal.aborted) throw waitInterrupted(parts, signal.reason, seen);
    throw isReadbackError(thrown) ? explainRead(thrown, parts, seen) : thrown;
  }
}

function endOf(
  parts: WaitForJobParts,
  seen: Seen | null,
  waited: { ended: "satisfied" | "budget"; lastFailure: ReadbackError | null; waitedMs: number },
): JobWait {
  const { lastFailure, waitedMs } = waited;
  const last = { text: seen?.text ?? null, status: seen?.status ?? null, lastFailure, waitedMs };
  if (waited.ended === "budget") {
    return { ended: "budget", ...last, error: waitTimeout(parts, parts.budgetMs, seen) };
  }
  return { ended: "terminal", ...last, error: seen === null ? null : jobFailed(parts, seen) };
}

/** Tells each change of state once, and now and then that there is none. */
function createNews({ clock, onEvent }: WaitForJobParts, sinceMs: number) {
  let lastMs = clock.now();
  return {
    status(reading: Seen, before: Seen | null): void {
      const { status, text } = reading;
      if (status === null || status === before?.status) return;
      lastMs = clock.now();
      onEvent?.({ kind: "status", status, text, waitedMs: lastMs - sinceMs });
    },
    heartbeat(seen: Seen | null): void {
      if (clock.now() - lastMs < HEARTBEAT_MS) return;
      lastMs = clock.now();
      onEvent?.({ kind: "still_waiting", status: seen?.status ?? null, waitedMs: lastMs - sinceMs });
    },
  };
}
