import { ReadbackError } from "../errors.ts";

/** What a call inside a wait has at least, in milliseconds, so that the last one can still answer (runpod-api.md 7.2). */
export const LEAST_CALL_MS = 1_000;

/** Time that a read is given beyond its deadline to report that itself. */
const GRACE_MS = 250;

/** The deadline of one call inside a wait: its own, but not beyond the budget, and never under 1 s. */
export function callWithin(callTimeoutMs: number, leftMs: number): number {
  return Math.min(callTimeoutMs, Math.max(LEAST_CALL_MS, Math.floor(leftMs)));
}

/**
 * Runs one read that must end within `timeoutMs`, whether it listens to the signal it is given or not. In real time, like
 * the deadlines of single calls.
 *
 * @throws call_timeout when it does not end; the reason of `signal` when that is aborted
 */
export async function endsWithin<T>(
  timeoutMs: number,
  read: (signal: AbortSignal) => Promise<T>,
  options: { readonly signal: AbortSignal },
): Promise<T> {
  options.signal.throwIfAborted();
  const late = new AbortController();
  const error = new ReadbackError("call_timeout", `no answer within ${timeoutMs} ms`, { retryable: true });
  const timer = setTimeout(() => late.abort(error), timeoutMs + GRACE_MS);
  const both = AbortSignal.any([late.signal, options.signal]);
  try {
    return await untilAborted(read(both), both);
  } finally {
    clearTimeout(timer);
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
