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
}

export interface ApplyContext extends RunContext {
  /** Starts the write-ahead record of a run; null where runs are not recorded (`--sandbox`). */
  readonly startJournal: ((runId: string) => Promise<Journal>) | null;
}

/** The client's share of a context. */
export function clientOptions(context: RunContext, signal: AbortSignal | null): ClientOptions {
  return {
    clock: context.clock,
    onNote: (text) => context.onEvent?.({ type: "note", text }),
    ...(context.fetch === undefined ? {} : { fetch: context.fetch }),
    ...(signal === null ? {} : { signal }),
  };
}
