import { ReadbackError } from "../lib/errors.ts";
import { nearest } from "../lib/near.ts";
import { shellLine } from "./_quote.ts";
import { isBuiltIn, recipeNames } from "./_recipes.ts";

/** Where a word was, that is no command. */
export interface Asked {
  readonly group: string;
  readonly names: readonly string[];
  readonly whole: readonly string[];
}

/** Says that there is no such command, and names the one that was meant, as a whole line. */
export function unknownCommand(word: string, asked: Asked): ReadbackError {
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

/** `run` is a command of its own. */
const SERVERLESS_WORDS: readonly string[] = [
  ...["list", "get", "update", "workers", "releases", "logs"],
  ...["health", "status", "stream", "cancel", "retry", "purge"],
];
