import { ReadbackError } from "../lib/errors.ts";
import type { InFlight } from "./_session.ts";

/** What reaches a process from outside the command's own flow. */
export interface ProcessWatch {
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP, and by an error that nobody caught. */
  readonly signal: AbortSignal;
  /** An error that nobody caught, such as a promise of a recipe that nobody awaited. */
  readonly stray: ReadbackError | null;
  /** Takes an error that came too late for the command's own flow, such as a step after a recipe had returned. */
  fail(error: ReadbackError): void;
  /** A signal is this command's good end, as of a server that is told to stop. */
  mayEndBySignal(): void;
  /** Ends the watch and gives the exit status: that of a signal or a stray error goes before the command's own. */
  finish(status: number): number;
}

/** 128 + the signal's number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type SignalName = keyof typeof SIGNALS;

/**
 * Watches for signals and for errors that nobody caught. The first signal asks the command to end, and to say what was
 * in flight; a second one ends the process at once.
 *
 * @param inFlight what the command has sent and not heard of
 * @param onUnsettled called when nothing is left to do and the command has not finished
 */
export function watchProcess(inFlight: InFlight, onUnsettled: (error: ReadbackError) => void): ProcessWatch {
  const stop = new AbortController();
  let signalled: number | null = null;
  let stray: ReadbackError | null = null;
  let goodEnd = false;
  let finished = false;

  const onSignal = (name: SignalName): void => {
    if (signalled !== null) endAtOnce(SIGNALS[name], inFlight);
    signalled = SIGNALS[name];
    if (inFlight.change !== null)
      say(`${name}: waiting for what became of ${inFlight.change}; a second signal ends at once`);
    stop.abort(new ReadbackError("interrupted", `Interrupted by ${name}`));
  };
  const fail = (error: ReadbackError): void => {
    stray ??= error;
    stop.abort(stray);
    if (!finished) return;
    process.exitCode = 1;
    onUnsettled(error);
  };
  const onStray = (thrown: unknown): void => fail(strayError(thrown));
  const onIdle = (): void => onUnsettled(neverSettled());
  const onExit = (): void => {
    if (!finished) process.exitCode = process.exitCode || 1;
  };
  for (const name of Object.keys(SIGNALS) as SignalName[]) process.on(name, onSignal);
  process.on("unhandledRejection", onStray);
  process.on("uncaughtException", onStray);
  process.once("beforeExit", onIdle);
  process.on("exit", onExit); // a recipe that ends the process is no success
  process.exitCode = 1; // until the command says otherwise: an await that never settles is no success
  return {
    signal: stop.signal,
    get stray() {
      return stray;
    },
    fail,
    mayEndBySignal() {
      goodEnd = true;
    },
    finish(status) {
      finished = true;
      process.off("beforeExit", onIdle);
      for (const name of Object.keys(SIGNALS) as SignalName[]) process.off(name, onSignal);
      if (stray !== null) return status === 0 || status === 130 ? 1 : status;
      return signalled === null || (goodEnd && status === 0) ? status : signalled;
    },
  };
}

/** What was in flight is told in one line, at once: no stream may be waited for any more. */
function endAtOnce(status: number, { change, run }: InFlight): never {
  if (change !== null)
    say(
      `${change} was in flight, and what became of it is not known${run === null ? "" : ` · run ${run} · readback undo ${run} --dry-run`}`,
    );
  process.exit(status);
}

function say(text: string): void {
  const fs = process.getBuiltinModule("node:fs");
  try {
    fs.writeSync(2, `${text}\n`);
  } catch {
    // A stderr that is gone must not keep the process from ending.
  }
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
