import type { Clock } from "../clock.ts";

/** Ends a snapshot: after a while of quiet since the last line, or when it has taken long enough. */
export interface SnapshotEnd {
  /** Aborted at the end. */
  readonly signal: AbortSignal;
  /** Why; null before. */
  readonly why: "quiet" | "max_wait" | null;
  /** Lines came. */
  heard(): void;
  /** Nothing is to be watched any more. */
  stop(): void;
}

/** A stream that says nothing for this long after a line has nothing more to say for now (runpod-api.md 7.5). */
const QUIET_MS = 750;

/** Starts watching. @param maxWaitMs in milliseconds, from now */
export function createSnapshotEnd(clock: Clock, maxWaitMs: number): SnapshotEnd {
  const over = new AbortController();
  const endMs = clock.now() + maxWaitMs;
  let sleeping = new AbortController();
  let why: SnapshotEnd["why"] = null;

  function watch(untilMs: number, reason: "quiet" | "max_wait"): void {
    sleeping.abort();
    const own = new AbortController();
    sleeping = own;
    const end = (): void => {
      if (own.signal.aborted) return;
      why = reason;
      over.abort();
    };
    clock.sleep(Math.max(0, untilMs - clock.now()), own.signal).then(end, () => {});
  }

  watch(endMs, "max_wait");
  return {
    signal: over.signal,
    get why() {
      return why;
    },
    heard() {
      if (over.signal.aborted) return;
      const quietMs = clock.now() + QUIET_MS;
      watch(Math.min(quietMs, endMs), quietMs < endMs ? "quiet" : "max_wait");
    },
    stop: () => sleeping.abort(),
  };
}
