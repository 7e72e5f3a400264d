import type { Clock } from "../../lib/clock.ts";

export interface TestClock extends Clock {
  /** The waits so far, in milliseconds. */
  readonly sleeps: readonly number[];
  advance(ms: number): void;
}

/** A clock that a wait moves at once. */
export function testClock(): TestClock {
  const sleeps: number[] = [];
  let now = Date.UTC(2026, 10, 30, 12);
  return {
    sleeps,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      now += ms;
    },
  };
}
