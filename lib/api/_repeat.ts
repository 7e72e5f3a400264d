import { type Clock, systemClock } from "../clock.ts";
import { ReadbackError } from "../errors.ts";
import type { Target } from "../target.ts";
import type { Send, Transport } from "./_transport.ts";
import type { CallOptions, ClientOptions } from "./client.ts";
import type { Tried } from "./problem.ts";
import type { RateWait } from "./rate.ts";
import { MAX_ATTEMPTS, mayChangeAgain, mayLookAgain, type Outcome, waitBeforeNext } from "./retry.ts";
import type { RouteKind } from "./routes.ts";
import type { Reply } from "./wire.ts";

const MAX_RATE_WAIT_MS = 60_000;

/** Sends a message as often as its policy allows, and gives its 2xx reply or throws. */
export type Repeat = (message: Message, given: CallOptions, policy: Policy) => Promise<Reply>;

export type Message = Pick<Send, "method" | "url" | "body" | "key">;

/** What tells looks, changes and consuming reads apart. */
export interface Policy {
  readonly kind: RouteKind;
  readonly mayGoAgain: (outcome: Outcome) => boolean;
  readonly beforeSend: () => void;
}

export const LOOK: Policy = { kind: "look", mayGoAgain: mayLookAgain, beforeSend: () => {} };
export const CHANGE: Policy = { kind: "change", mayGoAgain: mayChangeAgain, beforeSend: () => {} };
export const CONSUME: Policy = { kind: "consume", mayGoAgain: mayChangeAgain, beforeSend: () => {} };

interface RepeatOptions extends ClientOptions {
  readonly target: Target;
  readonly transport: Transport;
}

/** The one place that sends anything twice. */
export function createRepeat(options: RepeatOptions): Repeat {
  const { target, transport, clock = systemClock, random = Math.random } = options;
  return async (message, given, policy) => {
    const signals = [options.signal, given.signal].filter((signal) => signal !== undefined);
    const what = given.what ?? `${message.method} ${new URL(message.url).pathname}`;
    const bounds = boundsOf(options, given);
    const { maxRateWaitMs } = bounds;
    const pauseSignals = given.pauseSignal === undefined ? signals : [...signals, given.pauseSignal];
    const pause = createPause({ clock, signals: pauseSignals, what, maxRateWaitMs, onNote: options.onNote });

    for (let attempt = 1; ; attempt += 1) {
      if (bounds.leftMs() + OVERRUN_MS < LEAST_SENSE_MS) throw budgetSpent(what, null);
      const timeoutMs = bounds.timeoutMs();
      const tried = (): Tried => triedOf(message, { target, clock, what, timeoutMs, kind: policy.kind });
      const ahead = transport.budget(message.url).wait();
      if (ahead !== null) {
        const tooLong = async () => (await problems()).rateError(ahead, tried(), null);
        if (ahead.ms >= bounds.leftMs()) throw budgetSpent(what, await tooLong());
        await pause(ahead, `before: ${what}`, tooLong);
      }
      assertNotAborted(signals, what);
      policy.beforeSend();
      const outcome = await transport.send({ ...message, attempt, timeoutMs, signals });
      if (outcome.reply && isSuccess(outcome.reply.status)) return outcome.reply;
      if (policy.kind === "look") assertNotAborted(signals, what);
      const error = await errorOf(outcome, tried());
      if (attempt >= bounds.attempts || !policy.mayGoAgain(outcome)) throw error;
      if (given.repeatsTimeouts === false && outcome.failure?.kind === "timeout") throw error;
      const wait = waitBeforeNext(outcome, attempt, { nowMs: clock.now(), random });
      const tooLong = async () =>
        outcome.reply?.status === 429 ? (await problems()).rateError(wait, tried(), 429) : error;
      if (wait.ms >= bounds.leftMs()) throw budgetSpent(what, await tooLong());
      await pause(wait, `before trying again: ${what} (${reasonOf(outcome)})`, wait.asked ? tooLong : null);
    }
  };
}

/**
 * How far calls may go beyond the wait they are in, in milliseconds: one call inside it has at least that, so that the last
 * one can still answer (runpod-api.md 7.2), and several have it together.
 */
const OVERRUN_MS = 1_000;

/** A call that would have less than this, in milliseconds, is not begun: a change would be lost with its answer. */
const LEAST_SENSE_MS = 250;

interface Bounds {
  readonly attempts: number;
  readonly maxRateWaitMs: number;
  readonly timeoutMs: () => number;
  /** Infinite for a call that is part of no wait. */
  readonly leftMs: () => number;
}

/** A call with a deadline of its own is bounded by whoever gave it that. */
function boundsOf(options: RepeatOptions, given: CallOptions): Bounds {
  const { target, budget } = options;
  const inside = budget !== undefined && given.timeoutMs === undefined ? budget : null;
  const callMs = given.timeoutMs ?? target.timeoutMs;
  const asked = given.maxRateWaitMs ?? options.maxRateWaitMs;
  if (inside === null) {
    return {
      attempts: given.attempts ?? MAX_ATTEMPTS,
      maxRateWaitMs: asked ?? MAX_RATE_WAIT_MS,
      timeoutMs: () => callMs,
      leftMs: () => Number.POSITIVE_INFINITY,
    };
  }
  return {
    attempts: given.attempts ?? Number.POSITIVE_INFINITY,
    maxRateWaitMs: asked ?? inside.leftMs(),
    timeoutMs: () => {
      const left = Math.floor(inside.leftMs());
      return Math.min(callMs, Math.max(left, Math.min(OVERRUN_MS, left + OVERRUN_MS)));
    },
    leftMs: () => inside.leftMs(),
  };
}

/** The wait was over before this was done, or before it was begun; the last passing failure is the cause. */
function budgetSpent(what: string, cause: ReadbackError | null): ReadbackError {
  const why = cause === null ? "" : ` (${cause.message})`;
  const text = `Cannot ${what}: the time to wait was used up before${why}`;
  return new ReadbackError("wait_timeout", text, { retryable: true, cause, status: cause?.status ?? null });
}

type Pause = (
  wait: RateWait,
  purpose: string,
  tooLong: (() => Promise<ReadbackError>) | null,
) => Promise<void>;

interface PauseOptions {
  readonly clock: Clock;
  readonly maxRateWaitMs: number;
  readonly onNote: ((text: string) => void) | undefined;
  readonly signals: readonly AbortSignal[];
  readonly what: string;
}

/** Waits on the clock. The waits that the service asks for are bounded together, over one call. */
function createPause(options: PauseOptions): Pause {
  const { clock, signals } = options;
  let leftMs = options.maxRateWaitMs;
  return async (wait, purpose, tooLong) => {
    if (tooLong !== null && wait.ms > leftMs) throw await tooLong();
    if (tooLong !== null) leftMs -= wait.ms;
    const window = wait.window === null ? "" : ` for the ${wait.window} window of the rate limit`;
    options.onNote?.(`waiting ${Math.ceil(wait.ms / 100) / 10} s${window} ${purpose}`);
    await clock.sleep(wait.ms, AbortSignal.any([...signals])).catch(() => {});
    assertNotAborted(signals, options.what);
  };
}

/** Called where nothing is in flight, so an interrupted change is known not to have been sent. */
function assertNotAborted(signals: readonly AbortSignal[], what: string): void {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted === undefined) return;
  if (aborted.reason instanceof ReadbackError) throw aborted.reason;
  throw new ReadbackError("interrupted", `Interrupted: ${what}`);
}

function triedOf(
  message: Message,
  at: Pick<Tried, "what" | "kind" | "timeoutMs"> & { target: Target; clock: Clock },
): Tried {
  const { target, clock, what, kind, timeoutMs } = at;
  const keySource = message.key === target.key ? target.keySource : "RUNPOD_READ_ONLY_API_KEY";
  const keys = [target.key, target.readKey];
  return { what, kind, timeoutMs, keySource, keys, host: new URL(message.url).host, nowMs: clock.now() };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

async function errorOf(outcome: Outcome, tried: Tried): Promise<ReadbackError> {
  const { failureError, replyError } = await problems();
  return outcome.failure ? failureError(outcome.failure, tried) : replyError(outcome.reply, tried);
}

function reasonOf(outcome: Outcome): string {
  return outcome.failure ? outcome.failure.reason : `HTTP ${outcome.reply.status}`;
}

/** Most calls succeed, and then nothing of this is loaded: it would be a tenth of a fast command's time. */
function problems(): Promise<typeof import("./problem.ts")> {
  return import("./problem.ts");
}
