import { exitStatus, ReadbackError } from "../lib/errors.ts";
import { type AnyCommand, hasFlag, readArgs, resolved } from "./_command.ts";
import { findCommand } from "./_find-command.ts";
import { printText } from "./_output.ts";
import type { Session } from "./_session.ts";
import { watchProcess } from "./_watch-process.ts";

/**
 * Runs the program: finds the command, checks the arguments against what it declares, runs it, and turns what came of
 * it into the exit status. Output is never cut: the process ends by itself.
 */
export async function run(main: AnyCommand, argv: readonly string[]): Promise<void> {
  const json = hasFlag(argv, "--json");
  const report = async (error: ReadbackError): Promise<void> => {
    const { environment } = await import("../lib/config.ts");
    const { reportError } = await import("./_report.ts");
    const env = environment();
    await reportError(await withoutKeys(error, env), { json, env });
  };
  const watch = watchProcess(report);
  try {
    const status = await dispatch(main, argv, { signal: watch.signal, report });
    process.exitCode = watch.finish(status);
    if (watch.stray !== null) await report(watch.stray);
  } catch (thrown) {
    const error = watch.stray ?? asReadbackError(thrown);
    process.exitCode = watch.finish(exitStatus(error.code));
    await report(error);
  }
}

async function dispatch(main: AnyCommand, argv: readonly string[], session: Session): Promise<number> {
  if (hasFlag(argv, "--version")) {
    const { VERSION } = await import("../lib/version.ts");
    printText(VERSION);
    return 0;
  }
  const found = await findCommand(main, argv);
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

/** What is thrown and is not ours comes from a recipe, or is a fault of Readback: its text says which. */
function asReadbackError(thrown: unknown): ReadbackError {
  if (thrown instanceof ReadbackError) return thrown;
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new ReadbackError("recipe_error", `Unexpected failure: ${text}`, { cause: thrown });
}

/** A key can stand in what the person typed, and so in a message. */
async function withoutKeys(
  error: ReadbackError,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadbackError> {
  const { mask } = await import("../lib/api/mask.ts");
  const keys = [env["RUNPOD_API_KEY"], env["RUNPOD_READ_ONLY_API_KEY"]].flatMap(
    (key) => key?.split(/\s+/) ?? [],
  );
  const clean = (text: string): string => mask(text, keys);
  return new ReadbackError(error.code, clean(error.message), {
    retryable: error.retryable,
    status: error.status,
    followUp: error.followUp === null ? null : clean(error.followUp),
    details: JSON.parse(clean(JSON.stringify(error.details))),
  });
}
