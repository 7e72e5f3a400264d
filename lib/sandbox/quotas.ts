import type { RateWindow } from "./faults.ts";
import { type Reply, refuse } from "./reply.ts";

/** Requests per window. */
export type Quotas = Readonly<Record<RateWindow, number>>;

/** Generous ones; the document's own sample is 60, 3000 and 50000 (runpod-api.md 2.3). */
export const DEFAULT_QUOTAS: Quotas = { minute: 600, hour: 20_000, day: 200_000 };

const WINDOW_SECONDS: Quotas = { minute: 60, hour: 3600, day: 86_400 };
const WINDOWS: readonly RateWindow[] = ["minute", "hour", "day"];

/** The rate limit of the account: fixed windows on the sandbox's clock. */
export interface RateLimiter {
  /** Counts a request; the window that has run out, or null. */
  take(nowMs: number): RateWindow | null;
  /** `RateLimit` and `RateLimit-Policy`; a window named in `empty` is shown as run out. */
  headers(nowMs: number, empty?: RateWindow): Readonly<Record<string, string>>;
  /** The answer when a window has run out. `retryAfter` null leaves the header out. */
  refusal(nowMs: number, window: RateWindow, retryAfter?: string | null): Reply;
}

/** Makes a limiter whose windows start at `startMs`; null quotas are those of an exempt caller, who sees no headers. */
export function createRateLimiter(startMs: number, quotas: Quotas | null): RateLimiter {
  const counts = new Map<RateWindow, { period: number; used: number }>();
  return { take, headers, refusal };

  function take(nowMs: number): RateWindow | null {
    if (quotas === null) return null;
    const empty = WINDOWS.find((window) => used(window, nowMs) >= quotas[window]) ?? null;
    if (empty !== null) return empty;
    for (const window of WINDOWS)
      counts.set(window, { period: period(window, nowMs), used: used(window, nowMs) + 1 });
    return null;
  }

  function headers(nowMs: number, empty?: RateWindow): Readonly<Record<string, string>> {
    if (quotas === null && empty === undefined) return {};
    const shown = quotas ?? DEFAULT_QUOTAS;
    const left = (window: RateWindow) =>
      window === empty ? 0 : Math.max(0, shown[window] - used(window, nowMs));
    return {
      ratelimit: WINDOWS.map(
        (window) => `"${window}";r=${left(window)};t=${resetSeconds(window, nowMs)}`,
      ).join(", "),
      "ratelimit-policy": WINDOWS.map(
        (window) => `"${window}";q=${shown[window]};w=${WINDOW_SECONDS[window]}`,
      ).join(", "),
    };
  }

  function refusal(nowMs: number, window: RateWindow, retryAfter?: string | null): Reply {
    const wait = retryAfter === undefined ? String(resetSeconds(window, nowMs)) : retryAfter;
    const problem = { status: 429, detail: `rate limit exceeded for the ${window} window` };
    return refuse(problem, { ...headers(nowMs, window), ...(wait === null ? {} : { "retry-after": wait }) });
  }

  function period(window: RateWindow, nowMs: number): number {
    return Math.floor((nowMs - startMs) / 1000 / WINDOW_SECONDS[window]);
  }

  function used(window: RateWindow, nowMs: number): number {
    const count = counts.get(window);
    return count?.period === period(window, nowMs) ? count.used : 0;
  }

  function resetSeconds(window: RateWindow, nowMs: number): number {
    const passed = (nowMs - startMs) / 1000 - period(window, nowMs) * WINDOW_SECONDS[window];
    return Math.max(1, Math.ceil(WINDOW_SECONDS[window] - passed));
  }
}
