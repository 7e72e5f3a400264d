import { type Command, RootCommand } from "@bomb.sh/tab";
import type { ArgDef, ArgsDef } from "citty";
import { type AnyCommand, isWordCommand, resolved } from "./_command.ts";
import { recipeNames, teamRecipes } from "./_recipes.ts";
import { OPTIONAL_VALUES } from "./_tokens.ts";

/** What can be completed on the way of a line, and what to do where nothing of it fits. */
export interface CompletionTree {
  readonly root: RootCommand;
  /** True where a file is meant. */
  readonly takesFiles: boolean;
}

/**
 * Makes the tree of commands and flags along a line: those that the words so far lead to, and the recipes with their
 * flags under `run`. A recipe's file is loaded only when the line names it.
 *
 * @param words the words before the one that is completed
 */
export async function completionTree(main: AnyCommand, words: readonly string[]): Promise<CompletionTree> {
  const root = new RootCommand();
  root.option("help", "show what a command does");
  root.option("version", "show the version");
  let at: AnyCommand = main;
  let node: Command = root;
  const path: string[] = [];
  const recipes = await recipePlaces();
  for (const word of [...words.filter((given) => !given.startsWith("-")), null]) {
    for (const [name, description] of await wordsAfter(at, recipes))
      root.command([...path, name].join(" "), description);
    const next = word === null ? null : await follow(at, word);
    if (word === null || next === null) break;
    path.push(word);
    at = next;
    node = root.command(path.join(" "), "");
  }
  const args = await resolved<ArgsDef>(at.args ?? {});
  addArgs(node, args, recipes);
  return { root, takesFiles: takesFiles(args) };
}

/** Name → where it comes from. What is wrong with a config file is not told here. */
async function recipePlaces(): Promise<ReadonlyMap<string, string>> {
  const team = await teamRecipes().catch(() => new Map<string, readonly string[]>());
  const own = [...team].map(([name, files]): [string, string] => [name, files.join(", ")]);
  return new Map([...own, ...recipeNames().map((name): [string, string] => [name, "built-in"])]);
}

async function wordsAfter(
  command: AnyCommand,
  recipes: ReadonlyMap<string, string>,
): Promise<readonly (readonly [string, string])[]> {
  if (isWordCommand(command) && "recipe" in (command.args ?? {})) return [...recipes];
  const children = Object.entries(await resolved(command.subCommands ?? {}));
  return await Promise.all(
    children.map(async ([name, child]) => {
      const { meta } = await resolved<AnyCommand>(child);
      return [name, (await resolved(meta ?? {})).description ?? ""] as const;
    }),
  );
}

async function follow(command: AnyCommand, word: string): Promise<AnyCommand | null> {
  if (isWordCommand(command)) return await command.forWord(word, []).catch(() => null);
  const children = await resolved(command.subCommands ?? {});
  const child = Object.hasOwn(children, word) ? children[word] : undefined;
  return child === undefined ? null : await resolved<AnyCommand>(child);
}

function addArgs(node: Command, args: ArgsDef, recipes: ReadonlyMap<string, string>): void {
  for (const [name, arg] of Object.entries(args)) {
    const description = arg.description ?? "";
    const offer = (complete: (value: string, description: string) => void): void => {
      const known = name === "recipe" ? [...recipes] : choicesOf(arg).map((word) => [word, ""] as const);
      for (const [word, place] of known) complete(word, place);
    };
    if (arg.type === "positional") node.argument(name, offer);
    else if (arg.type === "boolean" || name in OPTIONAL_VALUES) node.option(name, description);
    else node.option(name, description, offer);
  }
  node.option("help", "show what it does");
}

/** The words of a hint such as `off|on|priority`. */
function choicesOf({ valueHint = "" }: ArgDef): readonly string[] {
  return /^[\w-]+(\|[\w-]+)+$/.test(valueHint) ? valueHint.split("|") : [];
}

function takesFiles(args: ArgsDef): boolean {
  return Object.entries(args).some(
    ([name, arg]) => arg.type === "positional" && name !== "recipe" && /\bfile\b/.test(arg.description ?? ""),
  );
}
