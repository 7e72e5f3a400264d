import type { Clock } from "../../lib/clock.ts";

/** A clock that stands still until a test moves it. */
export interface HandClock extends Clock {
  /** Moves the time and wakes who slept until then, in order. */
  advance(ms: number): void;
  /** How long those who sleep now still want to, in milliseconds. */
  readonly sleeping: readonly number[];
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function handClock(): HandClock {
  const sleepers = new Set<Sleeper>();
  let now = Date.UTC(2026, 10, 30, 12);
  return {
    now: () => now,
    get sleeping() {
      return [...sleepers].map(({ at }) => at - now);
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: now + ms,
          wake: () => {
            signal?.removeEventListener("abort", stop);
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", stop, { once: true });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers].sort((a, b) => a.at - b.at)) if (sleeper.at <= now) sleeper.wake();
    },
  };
}

/** Waits for something that sockets bring about; a test that waits for what never comes fails. */
export async function until(condition: () => boolean, what = "the condition"): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${what} did not come about`);
}
