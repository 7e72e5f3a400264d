import type { ReadbackError } from "../lib/errors.ts";
import type { AnyCommand } from "./_command.ts";

/** What a command gets from the program that runs it. */
export interface Session {
  /** The whole program, which completions walk through. */
  readonly main: AnyCommand;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Tells an error beside an answer, and gives its exit status. */
  readonly report: (error: ReadbackError) => Promise<number>;
}

/** Gives the session that `_run.ts` handed to citty, which does not type it. */
export function sessionOf(context: { data?: unknown }): Session {
  return context.data as Session;
}
