import type { Clock } from "../clock.ts";

/** Lets so many pass in a window, and holds the next one back until there is room. */
export interface Pace {
  /** Resolves when the next one may go. @throws the reason of `signal` when that is aborted */
  next(signal: AbortSignal): Promise<void>;
}

/** Makes a pace: at most `most` in any `windowMs` milliseconds. */
export function createPace(clock: Clock, { most, windowMs }: { most: number; windowMs: number }): Pace {
  const startedMs: number[] = [];
  return {
    async next(signal) {
      const first = startedMs.at(-most);
      const waitMs = first === undefined ? 0 : first + windowMs - clock.now();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      startedMs.push(clock.now());
    },
  };
}

/** The service takes 100 cancels in 10 s from one user (runpod-api.md 3.6); a tenth is left to others and to jitter. */
export function createCancelPace(clock: Clock): Pace {
  return createPace(clock, { most: 90, windowMs: 10_000 });
}
