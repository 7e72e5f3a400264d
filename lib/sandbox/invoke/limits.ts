/** Requests per 10 s and at once, by route of the invoke plane; a route that is not named has no limit. */
export type InvokeLimits = Readonly<Record<string, { readonly per10s: number; readonly atOnce: number }>>;

/** Per endpoint and user (runpod-api.md 3.6). What running workers add to it is not documented, and left out. */
export const INVOKE_LIMITS: InvokeLimits = {
  runSyncJob: { per10s: 2000, atOnce: 400 },
  runJob: { per10s: 1000, atOnce: 200 },
  jobStatus: { per10s: 2000, atOnce: 400 },
  jobStatusSync: { per10s: 2000, atOnce: 400 },
  streamJob: { per10s: 2000, atOnce: 400 },
  cancelJob: { per10s: 100, atOnce: 20 },
  purgeQueue: { per10s: 2, atOnce: Number.POSITIVE_INFINITY },
  listRequests: { per10s: 10, atOnce: 2 },
};

const WINDOW_MS = 10_000;

export interface InvokeLimiter {
  /** Counts a request in. @returns what ends it, or null where a limit is reached */
  enter(route: string, endpointId: string, nowMs: number): (() => void) | null;
  /** Seconds until the window is over, at least 1. */
  resetSeconds(nowMs: number): number;
}

/** Makes a limiter with fixed windows that start at `startMs`; null limits nothing. */
export function createInvokeLimiter(startMs: number, limits: InvokeLimits | null): InvokeLimiter {
  const counts = new Map<string, { period: number; used: number; open: number }>();
  return {
    enter(route, endpointId, nowMs) {
      const limit = limits?.[route];
      if (limit === undefined) return () => {};
      const count = countOf(`${endpointId}/${route}`, Math.floor((nowMs - startMs) / WINDOW_MS));
      if (count.used >= limit.per10s || count.open >= limit.atOnce) return null;
      count.used += 1;
      count.open += 1;
      return () => {
        count.open -= 1;
      };
    },
    resetSeconds: (nowMs) => Math.max(1, Math.ceil((WINDOW_MS - ((nowMs - startMs) % WINDOW_MS)) / 1000)),
  };

  function countOf(key: string, period: number): { used: number; open: number } {
    const count = counts.get(key) ?? { period, used: 0, open: 0 };
    counts.set(key, count);
    if (count.period !== period) Object.assign(count, { period, used: 0 });
    return count;
  }
}
