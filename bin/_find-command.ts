import type { SubCommandsDef } from "citty";
import { ReadbackError } from "../lib/errors.ts";
import { nearest } from "../lib/near.ts";
import { firstWord } from "./_args.ts";
import { shellLine } from "./_quote.ts";
import { isBuiltIn, recipeNames } from "./_recipes.ts";

type PromisedCommand<T> = T extends Promise<infer C> ? C : never;

/** A command with whatever arguments. */
export type AnyCommand = PromisedCommand<SubCommandsDef[string]>;

/** A command whose arguments depend on its first word: `run <recipe>`. */
export interface WordCommand extends AnyCommand {
  readonly forWord: (word: string) => Promise<AnyCommand>;
}

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

/** A value that citty allows to be given lazily. */
export async function resolved<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return await (typeof value === "function" ? (value as () => T | Promise<T>)() : value);
}

async function step(found: FoundCommand, whole: readonly string[]): Promise<FoundCommand | null> {
  const { command, name, argv } = found;
  const children = await resolved(command.subCommands ?? {});
  const names = Object.keys(children);
  if (names.length === 0 && !isWordCommand(command)) return null;
  const first = firstWord(argv, names.length === 0 ? await resolved(command.args ?? {}) : {});
  if (first === null) return null;
  if (names.length === 0) return isWordCommand(command) ? await withWord(found, command, first) : null;
  const flag = argv.slice(0, first.index).find((word) => word.startsWith("-") && !isHelp(word));
  if (flag !== undefined) throw flagBefore(flag, name);
  const child = Object.hasOwn(children, first.word) ? children[first.word] : undefined;
  if (child === undefined) throw unknownCommand(first.word, { group: name, names, whole });
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
  return {
    command: await command.forWord(first.word),
    name: `${name} ${shellLine([first.word])}`,
    argv: argv.toSpliced(first.index, 1),
  };
}

function isWordCommand(command: AnyCommand): command is WordCommand {
  return "forWord" in command;
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function flagBefore(flag: string, group: string): ReadbackError {
  return new ReadbackError("usage_error", `${flag} stands before the command; flags come after it`, {
    followUp: `${group} --help`,
  });
}

interface Asked {
  readonly group: string;
  readonly names: readonly string[];
  readonly whole: readonly string[];
}

function unknownCommand(word: string, asked: Asked): ReadbackError {
  const meant = meantCommand(word, asked);
  const hint = meant === null ? `there are ${asked.names.join(", ")}` : `did you mean: ${meant}`;
  return new ReadbackError("usage_error", `There is no command "${asked.group} ${word}"; ${hint}`, {
    followUp: meant ?? `${asked.group} --help`,
  });
}

/** The whole line as it was meant, or null when nothing comes near. */
function meantCommand(word: string, { group, names, whole }: Asked): string | null {
  const at = whole.indexOf(word);
  const before = ["readback", ...whole.slice(0, at)];
  const after = whole.slice(at + 1);
  if (word === "help") return shellLine([...before, ...after, "--help"]);
  if (isBuiltIn(word)) return shellLine(["readback", "run", word, ...after]);
  if (group !== "readback" && word === "run" && isBuiltIn(after[0] ?? ""))
    return shellLine(["readback", "run", ...after]);
  if (group === "readback" && SERVERLESS_WORDS.includes(word))
    return shellLine(["readback", "serverless", word, ...after]);
  const near = nearest(word, names);
  if (near !== undefined) return shellLine([...before, near, ...after]);
  const recipe = nearest(word, recipeNames());
  return recipe === undefined ? null : shellLine(["readback", "run", recipe, ...after]);
}

const SERVERLESS_WORDS: readonly string[] = ["list", "get"];
