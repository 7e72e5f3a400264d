import type { Clock } from "../clock.ts";

/** One window of the account's quota (runpod-api.md 2.3). */
export interface RateWindow {
  /** `minute`, `hour`, `day`: whatever the service calls it. */
  readonly name: string;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** How long to wait before a request, and for which window (null where only `Retry-After` speaks). */
export interface RateWait {
  readonly ms: number;
  readonly window: string | null;
}

/** Reads a `RateLimit` header, `"minute";r=0;t=12, "hour";r=2800;t=1812`; what cannot be read is left out. */
export function parseRateLimit(header: string | null): readonly RateWindow[] {
  return [...(header ?? "").matchAll(/"([^"]+)"((?:\s*;[^,;]*)+)/g)].flatMap(([, name, parameters]) => {
    const remaining = parameter(parameters, "r");
    const resetSeconds = parameter(parameters, "t");
    if (name === undefined || remaining === null || resetSeconds === null) return [];
    return [{ name, remaining, resetSeconds }];
  });
}

/** Seconds that `Retry-After` asks for, given as a number or as a date; null where it says nothing usable. */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1000));
}

/**
 * The wait that a reply asks for: the largest of `Retry-After`, which covers one window alone, and every exhausted
 * window (runpod-api.md 2.3). Null where it asks for none.
 */
export function waitAsked(headers: Headers, nowMs: number): RateWait | null {
  const after = retryAfterSeconds(headers, nowMs);
  const longest = parseRateLimit(headers.get("ratelimit"))
    .filter((window) => window.remaining <= 0)
    .sort((a, b) => b.resetSeconds - a.resetSeconds)[0];
  if (longest !== undefined && longest.resetSeconds >= (after ?? 0)) {
    return { ms: longest.resetSeconds * 1000, window: longest.name };
  }
  return after === null ? null : { ms: after * 1000, window: longest?.name ?? null };
}

/** What is left of the quota, as last seen, less the requests sent since. */
export interface RateBudget {
  /** The wait before the next request, or null when it may go. */
  wait(): RateWait | null;
  /** Counts a request that is about to go out; call the result when it has ended, with the reply's headers. */
  spend(): (headers: Headers | null) => void;
}

/** Keeps the quota of one host, so that requests pace themselves before a 429 happens. */
export function createRateBudget(clock: Clock): RateBudget {
  let windows: readonly { name: string; left: number; resetAtMs: number }[] = [];
  let inFlight = 0;
  return {
    wait: () => {
      const longest = windows
        .filter((window) => window.left <= 0 && window.resetAtMs > clock.now())
        .sort((a, b) => b.resetAtMs - a.resetAtMs)[0];
      return longest === undefined ? null : { ms: longest.resetAtMs - clock.now(), window: longest.name };
    },
    spend: () => {
      inFlight += 1;
      windows = windows.map((window) => ({ ...window, left: window.left - 1 }));
      return (headers) => {
        inFlight -= 1;
        const seen = parseRateLimit(headers?.get("ratelimit") ?? null);
        if (seen.length === 0) return;
        windows = seen.map(({ name, remaining, resetSeconds }) => ({
          name,
          left: remaining - inFlight,
          resetAtMs: clock.now() + resetSeconds * 1000,
        }));
      };
    },
  };
}

function parameter(parameters: string | undefined, name: string): number | null {
  const value = new RegExp(`;\\s*${name}\\s*=\\s*(\\d+)`).exec(parameters ?? "")?.[1];
  return value === undefined ? null : Number(value);
}
