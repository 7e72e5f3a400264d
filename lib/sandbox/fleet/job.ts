/** The states of a job (runpod-api.md 3.3). */
export type JobStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";

/** A job as the sandbox keeps it. */
export interface WorldJob {
  readonly id: string;
  readonly endpointId: string;
  /** It came by `/runsync`: its result is kept for a shorter time. */
  readonly isSync: boolean;
  /** The JSON text as it came. */
  readonly input: string;
  readonly webhook: string | null;
  readonly lowPriority: boolean;
  /** Milliseconds; null takes the endpoint's. */
  readonly executionTimeoutMs: number | null;
  status: JobStatus;
  /** When it began to wait: the submission, or a retry that a person asked for. */
  queuedAtMs: number;
  /** How often a worker took it. */
  attempt: number;
  /** How often the platform gave it to a worker again. */
  retries: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  workerId: string | null;
  /** JSON text; also the progress while it runs. */
  output: string | null;
  error: string | null;
  /** Yielded and not fetched yet, each as JSON text. */
  chunks: string[];
  /** When the service forgets it, whatever its state. */
  expiresAtMs: number;
  /** Takes back the next look at how long it is kept. */
  stopKeeping: () => void;
}

/** True where nothing more happens to a job. */
export function isOver({ status }: { readonly status: JobStatus }): boolean {
  return status !== "IN_QUEUE" && status !== "IN_PROGRESS";
}

/** Milliseconds that a job waited before its last attempt began (runpod-api.md 3.4); null before the first. */
export function delayMs(job: WorldJob): number | null {
  return job.startedAtMs === null ? null : Math.round(job.startedAtMs - job.queuedAtMs);
}

/** Milliseconds that the last attempt took; null before it has ended. */
export function executionMs({ startedAtMs, endedAtMs }: WorldJob): number | null {
  return startedAtMs === null || endedAtMs === null ? null : Math.round(endedAtMs - startedAtMs);
}
