import type { Clock } from "../clock.ts";
import { ReadbackError } from "../errors.ts";
import { callWithin, endsWithin } from "./deadline.ts";

/** How the pauses between reads grow, in milliseconds. */
export interface Intervals {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** 500 ms, growing by half to 5 s (runpod-api.md 7.2). */
export const POLLING: Intervals = { firstMs: 500, factor: 1.5, maxMs: 5_000 };

/**
 * No two reads start closer than this, in milliseconds: at most 21 in 10 s, whatever a service answers. Of the 25 that a
 * command may make in 10 s this leaves 4 for what goes before a wait: the reads of the endpoint, the submit, a cancel.
 */
const SPACING_MS = 480;

/** What one read is given. */
export interface ReadAt {
  /** Its deadline in milliseconds; it is ended shortly after that. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type WaitEvent =
  /** A read failed for the moment; `inARow` is 1 for the first of an outage. */
  | { readonly kind: "failed_read"; readonly error: ReadbackError; readonly inARow: number }
  /** A read works again, after `failures` that did not. */
  | { readonly kind: "recovered"; readonly failures: number };

export interface WaitForParts<T> {
  readonly read: (at: ReadAt) => Promise<T>;
  readonly until: (value: T) => boolean;
  readonly clock: Clock;
  /** How long to wait in all, in milliseconds. A read under way at its end has up to 1 s to answer. */
  readonly budgetMs: number;
  /** When the budget began, by the clock. @default now */
  readonly sinceMs?: number;
  /** Deadline of one read, in milliseconds. */
  readonly callTimeoutMs: number;
  /** Ends the wait at once, the read in flight too. */
  readonly signal: AbortSignal;
  /** What is known already: it may satisfy, and the first read comes after a pause. */
  readonly known?: T;
  /** @default POLLING */
  readonly intervals?: Intervals;
  /** True when no pause is due after this value, because the service held the read back. @default never */
  readonly goOnAtOnce?: (value: T) => boolean;
  /** Told each value that a read gives, before the predicate sees it. */
  readonly onValue?: (value: T) => void;
  readonly onEvent?: (event: WaitEvent) => void;
}

export interface Waited<T> {
  readonly ended: "satisfied" | "budget";
  /** The last value read, or what was known; undefined where no read gave one. */
  readonly value: T | undefined;
  /** The failure of the last read, where that failed. */
  readonly lastFailure: ReadbackError | null;
  /** By the clock, in milliseconds. */
  readonly waitedMs: number;
}

/**
 * Reads until the predicate holds or the budget is spent. A read that fails for the moment or hangs is one failed read,
 * bounded by its own deadline; a time that the rate limit names is waited for, and no read goes out before it.
 *
 * @throws what a read throws that is not retryable; the signal's reason when aborted
 */
export async function waitFor<T>(parts: WaitForParts<T>): Promise<Waited<T>> {
  const { clock, budgetMs, callTimeoutMs, signal, until } = parts;
  const since = parts.sinceMs ?? clock.now();
  const left = (): number => since + budgetMs - clock.now();
  const pace = createPace(parts.intervals ?? POLLING, clock);
  const outage = createOutage(parts.onEvent);
  let value = parts.known;
  const end = (ended: Waited<T>["ended"]): Waited<T> => {
    return { ended, value, lastFailure: outage.last, waitedMs: clock.now() - since };
  };

  if (value !== undefined) {
    if (until(value)) return end("satisfied");
    if (left() <= 0) return end("budget");
    if (!(await pause(pace.after(outage.last, atOnce(parts, value)), left(), parts))) return end("budget");
  }
  for (;;) {
    signal.throwIfAborted();
    const timeoutMs = callWithin(callTimeoutMs, left());
    pace.start();
    try {
      value = await endsWithin(timeoutMs, (both) => parts.read({ timeoutMs, signal: both }), { signal });
      outage.over();
      parts.onValue?.(value);
      if (until(value)) return end("satisfied");
    } catch (thrown) {
      signal.throwIfAborted();
      outage.add(passing(thrown));
    }
    if (left() <= 0) return end("budget");
    const wait = pace.after(outage.last, outage.last === null && atOnce(parts, value));
    if (!(await pause(wait, left(), parts))) return end("budget");
  }
}

/** A pause: it is cut to the budget, so that a last read comes at its end, unless the rate limit forbids one before. */
interface Pause {
  readonly ms: number;
  readonly mustNotBeCut: boolean;
}

/** Gives false when no further read may come within the budget. */
async function pause(
  { ms, mustNotBeCut }: Pause,
  leftMs: number,
  { clock, signal }: Pick<WaitForParts<unknown>, "clock" | "signal">,
): Promise<boolean> {
  if (ms > 0) await clock.sleep(Math.min(ms, leftMs), signal);
  return !(mustNotBeCut && ms > leftMs);
}

/** Keeps reads apart: by the growing interval, by what the rate limit asks for, and by the least spacing. */
function createPace({ firstMs, factor, maxMs }: Intervals, clock: Clock) {
  let intervalMs = firstMs;
  let startedMs = Number.NEGATIVE_INFINITY;
  return {
    start(): void {
      startedMs = clock.now();
    },
    after(failure: ReadbackError | null, atOnce: boolean): Pause {
      const spacing = Math.max(0, startedMs + SPACING_MS - clock.now());
      if (atOnce) return { ms: spacing, mustNotBeCut: false };
      const interval = Math.max(intervalMs, spacing);
      const asked = askedMs(failure);
      intervalMs = Math.min(maxMs, intervalMs * factor);
      return { ms: Math.max(interval, asked), mustNotBeCut: asked > 0 };
    },
  };
}

/** One outage is told once, however many reads it takes with it. */
function createOutage(onEvent: WaitForParts<unknown>["onEvent"]) {
  let inARow = 0;
  let last: ReadbackError | null = null;
  return {
    get last(): ReadbackError | null {
      return last;
    },
    add(error: ReadbackError): void {
      inARow += 1;
      last = error;
      onEvent?.({ kind: "failed_read", error, inARow });
    },
    over(): void {
      if (inARow > 0) onEvent?.({ kind: "recovered", failures: inARow });
      inARow = 0;
      last = null;
    },
  };
}

function atOnce<T>(parts: WaitForParts<T>, value: T | undefined): boolean {
  return value !== undefined && parts.goOnAtOnce?.(value) === true;
}

/** Gives the error where the same read may do better later. @throws it otherwise */
function passing(thrown: unknown): ReadbackError {
  if (thrown instanceof ReadbackError && thrown.retryable) return thrown;
  throw thrown;
}

function askedMs(failure: ReadbackError | null): number {
  const seconds = failure?.details["retryAfterSeconds"];
  return typeof seconds === "number" ? seconds * 1_000 : 0;
}
