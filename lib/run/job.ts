/** A job of an endpoint. In a dry run a submitted job is a stand-in: its id is known only after the submit. */
export interface Job {
  /** Endpoint id. */
  readonly endpoint: string;
  /** Job id. */
  readonly id: string;
}

/** A job as a status reply tells it. Times are in milliseconds. */
export interface JobResult extends Job {
  /** As the service wrote it: `COMPLETED`, `FAILED`, … */
  readonly status: string;
  /** The reply as it came, byte for byte. */
  readonly text: string;
  /** What the handler gave, as a JavaScript value: numbers beyond 2^53 are exact only in `text`. */
  readonly output: unknown;
  /** Wait before the last attempt started; a re-dispatch computes it anew (runpod-api.md 3.4). */
  readonly delayTimeMs: number | null;
  readonly executionTimeMs: number | null;
  readonly retries: number | null;
  readonly workerId: string | null;
  readonly error: string | null;
}

/** What `cancel` and `retry` give: whether something was sent, and the state that was read. */
export interface JobChange extends Job {
  /** False where the job had already ended, so that nothing was sent. */
  readonly changed: boolean;
  readonly status: string;
}

/** What `purge` gives, from its answer and a fresh health read; null where it could not be read. */
export interface PurgeResult {
  readonly removed: number | null;
  readonly left: number | null;
  readonly running: number | null;
}
