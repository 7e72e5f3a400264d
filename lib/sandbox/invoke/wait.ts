import type { Problem } from "../reply.ts";

/** The longest holds of the service, in milliseconds. */
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 300_000;

/** The `wait` of `/runsync` and `/stream`: out of bounds it is refused (runpod-api.md 3.1). */
export function readWait(
  query: URLSearchParams,
  defaultMs: number,
): { readonly problem: Problem } | { readonly problem: null; readonly waitMs: number } {
  const text = query.get("wait");
  if (text === null) return { problem: null, waitMs: defaultMs };
  const waitMs = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return waitMs >= MIN_WAIT_MS && waitMs <= MAX_WAIT_MS
    ? { problem: null, waitMs }
    : {
        problem: {
          status: 400,
          detail: `wait is invalid; must be between ${MIN_WAIT_MS} and ${MAX_WAIT_MS}`,
        },
      };
}

/** The `wait` of `/status-sync`, clamped as its one client does (runpod-api.md 3.1). */
export function clampWait(query: URLSearchParams): number {
  const asked = Number(query.get("wait") ?? Number.NaN);
  return Number.isNaN(asked) ? 90_000 : Math.min(90_000, Math.max(MIN_WAIT_MS, asked));
}
