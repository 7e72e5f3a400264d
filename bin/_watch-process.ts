import { ReadbackError } from "../lib/errors.ts";

/** What reaches a process from outside the command's own flow. */
export interface ProcessWatch {
  /** Aborted by Ctrl-C and SIGTERM, and by an error that nobody caught. */
  readonly signal: AbortSignal;
  /** An error that nobody caught, such as a promise of a recipe that nobody awaited. */
  readonly stray: ReadbackError | null;
  /** Ends the watch and gives the exit status: that of a signal or a stray error goes before the command's own. */
  finish(status: number): number;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Watches for signals and for errors that nobody caught. The first signal asks the command to end, and to say what was
 * in flight; a second one ends the process at once.
 *
 * @param onUnsettled called when nothing is left to do and the command has not finished
 */
export function watchProcess(onUnsettled: (error: ReadbackError) => void): ProcessWatch {
  const stop = new AbortController();
  let signalled: number | null = null;
  let stray: ReadbackError | null = null;
  const onSignal = (name: keyof typeof SIGNALS): void => {
    if (signalled !== null) process.exit(SIGNALS[name]);
    signalled = SIGNALS[name];
    stop.abort(new ReadbackError("interrupted", `Interrupted by ${name}`));
  };
  const onStray = (thrown: unknown): void => {
    stray ??= strayError(thrown);
    stop.abort(stray);
  };
  const onIdle = (): void => onUnsettled(neverSettled());
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, onSignal);
  process.on("unhandledRejection", onStray);
  process.on("uncaughtException", onStray);
  process.once("beforeExit", onIdle);
  process.exitCode = 1; // until the command says otherwise: an await that never settles is no success
  return {
    signal: stop.signal,
    get stray() {
      return stray;
    },
    finish(status) {
      process.off("beforeExit", onIdle);
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, onSignal);
      // A command that got to its good end all the same, such as a server that was told to stop, stays at 0.
      if (stray !== null) return status === 0 || status === 130 ? 1 : status;
      return signalled === null || status === 0 ? status : signalled;
    },
  };
}

function strayError(thrown: unknown): ReadbackError {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new ReadbackError("recipe_error", `An error that nobody caught (is a step not awaited?): ${text}`, {
    cause: thrown,
  });
}

function neverSettled(): ReadbackError {
  return new ReadbackError(
    "recipe_error",
    "The command ended without an answer: something that was awaited never settled",
  );
}
