import type { ReadbackError } from "../lib/errors.ts";
import type { AnyCommand } from "./_command.ts";

/** What a command has sent and not heard of yet; null while there is nothing. Kept up to date by the command. */
export interface InFlight {
  /** In words: `change 1 of image-generator`. */
  change: string | null;
  /** The run's id in the history. */
  run: string | null;
}

/** What a command gets from the program that runs it. */
export interface Session {
  /** The whole program, which completions walk through. */
  readonly main: AnyCommand;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  readonly inFlight: InFlight;
  /** Tells an error beside an answer, and gives its exit status. */
  readonly report: (error: ReadbackError) => Promise<number>;
  /** Takes an error that came too late for the command's own flow. */
  readonly fail: (error: ReadbackError) => void;
  /** A signal is this command's good end. */
  readonly mayEndBySignal: () => void;
}

/** Gives the session that `_run.ts` handed to citty, which does not type it. */
export function sessionOf(context: { data?: unknown }): Session {
  return context.data as Session;
}
