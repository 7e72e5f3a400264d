import type { Failure } from "./failure.ts";
import { type RateWait, waitAsked } from "./rate.ts";
import type { Reply } from "./wire.ts";

/** What came of sending a request once. */
export type Outcome =
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: Failure; readonly reply?: never };

/** How often one call may be sent in all. */
export const MAX_ATTEMPTS = 4;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;

/** True when a look may be sent again: looks do no harm. */
export function mayLookAgain(outcome: Outcome): boolean {
  if (outcome.failure) return outcome.failure.transient && outcome.failure.kind !== "interrupted";
  const { status } = outcome.reply;
  return status === 408 || status === 429 || status >= 500;
}

/** True when a change may be sent again: it was turned away by the rate limit, or no connection was made. */
export function mayChangeAgain(outcome: Outcome): boolean {
  if (outcome.failure) return outcome.failure.transient && outcome.failure.kind === "not_sent";
  return outcome.reply.status === 429;
}

/** A wait before sending again; `asked` when the service named it. */
export interface RetryWait extends RateWait {
  readonly asked: boolean;
}

/**
 * The wait before the attempt after `attempt` (1 is the first): what the reply asks for, but never less than 0.5 s, 1 s,
 * 2 s, 4 s, 5 s, of which half is random.
 */
export function waitBeforeNext(
  outcome: Outcome,
  attempt: number,
  at: { readonly nowMs: number; readonly random: () => number },
): RetryWait {
  const backoffMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + at.random() / 2);
  const asked = outcome.reply ? askedBy(outcome.reply, at.nowMs) : null;
  if (asked === null) return { ms: backoffMs, window: null, asked: false };
  return { ms: Math.max(asked.ms, backoffMs), window: asked.window, asked: true };
}

/** The quota counts after a 429 alone; a 503 may name a time of its own. */
function askedBy(reply: Reply, nowMs: number): RateWait | null {
  return reply.status === 429 || reply.headers.has("retry-after") ? waitAsked(reply.headers, nowMs) : null;
}
