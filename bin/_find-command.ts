import type { ArgsDef } from "citty";
import { ReadbackError } from "../lib/errors.ts";
import { type AnyCommand, isWordCommand, resolved, type WordCommand } from "./_command.ts";

export interface FoundCommand {
  readonly command: AnyCommand;
  /** As typed: `readback serverless get`. */
  readonly name: string;
  /** What is left for the command itself. */
  readonly argv: readonly string[];
}

/**
 * Walks from the program to the command that was meant; only what is on the way is loaded.
 *
 * @throws usage_error - there is no such command (a near one is named), or a flag stands before it
 */
export async function findCommand(main: AnyCommand, argv: readonly string[]): Promise<FoundCommand> {
  let found: FoundCommand = { command: main, name: "readback", argv };
  for (;;) {
    const next = await step(found, argv);
    if (next === null) return found;
    found = next;
  }
}

async function step(found: FoundCommand, whole: readonly string[]): Promise<FoundCommand | null> {
  const { command, name, argv } = found;
  const children = await resolved(command.subCommands ?? {});
  const names = Object.keys(children);
  if (names.length === 0 && !isWordCommand(command)) return null;
  const first = await firstWord(argv, names.length === 0 ? await resolved(command.args ?? {}) : {});
  if (first === null) return null;
  if (names.length === 0) return isWordCommand(command) ? await withWord(found, command, first) : null;
  const flag = argv.slice(0, first.index).find((word) => word.startsWith("-") && !isHelp(word));
  if (flag !== undefined) throw flagBefore(flag, name);
  const child = Object.hasOwn(children, first.word) ? children[first.word] : undefined;
  if (child === undefined) {
    const { unknownCommand } = await import("./_unknown-command.ts");
    throw unknownCommand(first.word, { group: name, names, whole });
  }
  return {
    command: await resolved<AnyCommand>(child),
    name: `${name} ${first.word}`,
    argv: argv.toSpliced(first.index, 1),
  };
}

async function withWord(
  { name, argv }: FoundCommand,
  command: WordCommand,
  first: { word: string; index: number },
): Promise<FoundCommand> {
  const rest = argv.toSpliced(first.index, 1);
  return {
    command: await command.forWord(first.word, rest),
    name: `${name} ${first.word}`,
    argv: rest,
  };
}

/** A word in front needs no parser to be told from a flag's value. */
async function firstWord(
  argv: readonly string[],
  declared: ArgsDef,
): Promise<{ readonly word: string; readonly index: number } | null> {
  const [word] = argv;
  if (word === undefined) return null;
  if (!word.startsWith("-")) return { word, index: 0 };
  const { tokensOf, withOptionalValues } = await import("./_tokens.ts");
  const tokens = tokensOf(withOptionalValues(argv, declared), declared);
  const found = tokens.find((token) => token.kind === "positional");
  return found === undefined ? null : { word: found.value, index: found.index };
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function flagBefore(flag: string, group: string): ReadbackError {
  return new ReadbackError("usage_error", `${flag} stands before the command; flags come after it`, {
    followUp: `${group} --help`,
  });
}
