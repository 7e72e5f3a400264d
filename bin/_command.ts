import type { ArgsDef, CommandDef, ParsedArgs, SubCommandsDef } from "citty";

type PromisedCommand<T> = T extends Promise<infer C> ? C : never;

/** A command with whatever arguments. */
export type AnyCommand = PromisedCommand<SubCommandsDef[string]>;

/** A command whose arguments depend on its first word: `run <recipe>`. */
export interface WordCommand extends AnyCommand {
  readonly forWord: (word: string, argv: readonly string[]) => Promise<AnyCommand>;
}

/**
 * Types a command for citty. Its own function of this name does nothing more, but loading it, with the parser that it
 * stands on, costs a third of a fast command's time.
 */
export function defineCommand<const T extends ArgsDef = ArgsDef>(definition: CommandDef<T>): CommandDef<T> {
  return definition;
}

/** True for a command whose arguments depend on its first word. */
export function isWordCommand(command: AnyCommand): command is WordCommand {
  return "forWord" in command;
}

/**
 * Reads arguments against what a command declares, or tells what is wrong with them. Words alone need no parser: the
 * checks and citty are loaded where there is a flag, or where the words do not fit.
 *
 * @throws usage_error
 */
export async function readArgs(
  argv: readonly string[],
  declared: ArgsDef,
  command: string,
): Promise<{ readonly rawArgs: string[]; readonly args: ParsedArgs }> {
  const names = Object.keys(declared).filter((name) => declared[name]?.type === "positional");
  const isPlain = argv.length === names.length && argv.every((word) => /^[^-\s]/.test(word));
  const needsFlag = Object.values(declared).some((arg) => arg.type !== "positional" && arg.required === true);
  if (isPlain && !needsFlag) {
    const named = Object.fromEntries(names.map((name, i) => [name, argv[i] ?? ""]));
    return { rawArgs: [...argv], args: { _: [...argv], ...named } as ParsedArgs };
  }
  const [{ checkArgs }, { parseArgs }] = await Promise.all([import("./_args.ts"), import("citty")]);
  const rawArgs = [...checkArgs(argv, declared, command)];
  return { rawArgs, args: parseArgs(rawArgs, declared) };
}

/** True when a flag stands before `--`; for flags that count even when the rest is wrong. */
export function hasFlag(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.some((word, i) => flags.includes(word) && (end === -1 || i < end));
}

/** A value that citty allows to be given lazily. */
export async function resolved<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return await (typeof value === "function" ? (value as () => T | Promise<T>)() : value);
}
