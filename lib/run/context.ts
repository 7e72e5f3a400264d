import type { ClientOptions } from "../api/client.ts";
import type { Clock } from "../clock.ts";
import type { Journal } from "../history/journal.ts";
import type { Target } from "../target.ts";
import type { RunEvent } from "./events.ts";

/** What a plan and an apply run in: where to, by which clock, until when, and who listens. */
export interface RunContext {
  readonly target: Target;
  readonly clock: Clock;
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
  /** A sandbox in this process instead of the network. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** The wait that the whole run is part of: it bounds every call. @default none */
  readonly budget?: RunBudget | undefined;
  /**
   * Milliseconds that each read of a job's status around its cancel may take, where the cancel must not wait for it: one
   * before it that hangs or fails for the moment is then no obstacle. @default the read before must succeed
   */
  readonly cancelReadMs?: number | undefined;
  /** False where nobody will see the preview's line about queue and workers. @default true */
  readonly readsNow?: boolean | undefined;
}

/** How long a run may wait in all, and since when, by its clock. */
export interface RunBudget {
  readonly sinceMs: number;
  readonly budgetMs: number;
}

/** What is left of a budget, in milliseconds; 0 or less when it is spent. */
export function leftOf({ sinceMs, budgetMs }: RunBudget, clock: Clock): number {
  return sinceMs + budgetMs - clock.now();
}

export interface ApplyContext extends RunContext {
  /** Starts the write-ahead record of a run; null where runs are not recorded (`--sandbox`). */
  readonly startJournal: ((runId: string) => Promise<Journal>) | null;
}

/** The client's share of a context. */
export function clientOptions(context: RunContext, signal: AbortSignal | null): ClientOptions {
  const { budget, clock } = context;
  return {
    clock,
    ...(budget === undefined ? {} : { budget: { leftMs: () => leftOf(budget, clock) } }),
    onNote: (text) => context.onEvent?.({ type: "note", text }),
    ...(context.fetch === undefined ? {} : { fetch: context.fetch }),
    ...(signal === null ? {} : { signal }),
  };
}
