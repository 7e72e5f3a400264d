import { type AnyCommand, hasFlag, readArgs, resolved } from "./_command.ts";
import { findCommand } from "./_find-command.ts";
import { printText } from "./_output.ts";
import type { InFlight, Session } from "./_session.ts";
import { watchProcess } from "./_watch-process.ts";

/**
 * Runs the program: finds the command, checks the arguments against what it declares, runs it, and turns what came of
 * it into the exit status. Output is never cut: the process ends by itself.
 */
export async function run(main: AnyCommand, argv: readonly string[]): Promise<void> {
  const json = hasFlag(argv, "--json");
  // What an error needs is loaded when there is one.
  const report = async (thrown: unknown): Promise<number> => {
    const { tellError } = await import("./_tell-error.ts");
    return await tellError(thrown, { json });
  };
  const inFlight: InFlight = { change: null, run: null };
  const watch = watchProcess(inFlight, report);
  const { signal, fail, mayEndBySignal } = watch;
  try {
    const status = await dispatch(argv, { main, signal, inFlight, report, fail, mayEndBySignal });
    process.exitCode = watch.finish(status);
    if (watch.stray !== null) await report(watch.stray);
  } catch (thrown) {
    process.exitCode = watch.finish(await report(watch.stray ?? thrown));
  }
}

async function dispatch(argv: readonly string[], session: Session): Promise<number> {
  if (hasFlag(argv, "--version")) {
    const { VERSION } = await import("../lib/version.ts");
    printText(VERSION);
    return 0;
  }
  const found = await findCommand(session.main, argv);
  const declared = await resolved(found.command.args ?? {});
  if (hasFlag(argv, "--help", "-h") || (found.command.run === undefined && found.argv.length === 0)) {
    const { helpText } = await import("./_help.ts");
    printText(await helpText(found.command, found.name));
    return 0;
  }
  const { rawArgs, args } = await readArgs(found.argv, declared, found.name);
  const result: unknown = await found.command.run?.({ rawArgs, args, cmd: found.command, data: session });
  return typeof result === "number" ? result : 0;
}
