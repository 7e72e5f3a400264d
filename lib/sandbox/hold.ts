import type { Bell } from "./bell.ts";
import type { SandboxClock } from "./clock.ts";

/** Keeps a request open until something has come true, or for `ms` milliseconds of sandbox time at most. */
export type Hold = (isDone: () => boolean, ms: number) => Promise<void>;

/** Thrown by a hold that the edge gives up before its time. */
export class EdgeTimeout extends Error {}

/** Makes the hold of one request; the edge cuts it after `cutAfterMs`. Rejects with the signal's reason when aborted. */
export function createHold(
  clock: SandboxClock,
  bell: Bell,
  options: { readonly signal: AbortSignal; readonly cutAfterMs: number },
): Hold {
  return async (isDone, ms) => {
    await waitFor(isDone, Math.min(ms, options.cutAfterMs));
    if (ms > options.cutAfterMs && !isDone()) throw new EdgeTimeout("the edge gave up");
  };

  async function waitFor(isDone: () => boolean, ms: number): Promise<void> {
    if (isDone()) return;
    const found = new AbortController();
    const stop = bell.onRing(() => {
      if (isDone()) found.abort();
    });
    try {
      await asleep(ms, AbortSignal.any([options.signal, found.signal]));
    } catch (reason) {
      if (!found.signal.aborted) throw reason;
    } finally {
      stop();
    }
  }

  /** A hold without an end moves no time. */
  function asleep(ms: number, signal: AbortSignal): Promise<void> {
    if (Number.isFinite(ms)) return clock.sleep(ms, signal);
    return new Promise((_, reject) => {
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }
}
