import type { Clock } from "../../lib/clock.ts";

/** Turns of the event loop without a request under way, after which time may go on. */
const CALM_TURNS = 4;

/** A clock that goes on to the next sleeper as soon as nothing else is under way: no test waits for real. */
export function calmClock(startMs: number, isBusy: () => boolean): Clock {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let now = startMs;
  let turning = false;

  async function turn(): Promise<void> {
    if (turning) return;
    turning = true;
    for (let calm = 0; sleepers.size > 0; ) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      calm = isBusy() ? 0 : calm + 1;
      if (calm < CALM_TURNS) continue;
      const [next] = [...sleepers].toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      now = Math.max(now, next.at);
      next.wake();
      calm = 0;
    }
    turning = false;
  }

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { at: now + ms, wake };
        function wake(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", stop);
          resolve();
        }
        function stop(): void {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        }
        sleepers.add(sleeper);
        signal?.addEventListener("abort", stop, { once: true });
        void turn();
      }),
  };
}
