import type { ArgDef, ArgsDef } from "citty";
import type { Arg } from "../lib/arg.ts";
import { flagName, isPositional, type Recipe } from "../lib/recipe.ts";
import { MANY } from "./_args.ts";

/** A recipe's arguments as citty declares them: positionals in order, then flags. */
export function recipeArgs(recipe: Recipe): ArgsDef {
  const entries = Object.entries(recipe.args);
  const positionals = entries.filter(([, arg]) => isPositional(arg));
  const flags = entries.filter(([, arg]) => !isPositional(arg));
  return Object.fromEntries([...positionals, ...flags].map(([key, arg]) => [flagName(key), argDef(arg)]));
}

/** What was typed, keyed as the recipe has it; absent arguments are left out. */
export function givenArgs(
  recipe: Recipe,
  parsed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const words = parsed["_"] as readonly string[];
  const order = Object.keys(recipe.args).filter((key) => isPositional(recipe.args[key] as Arg<unknown>));
  const given = Object.entries(recipe.args).flatMap(([key, arg]): [string, unknown][] => {
    const value =
      arg.kind === "endpoints" && isPositional(arg) ? words.slice(order.indexOf(key)) : parsed[flagName(key)];
    return value === undefined ? [] : [[key, rawValue(arg, value)]];
  });
  return Object.fromEntries(given);
}

/** True for the argument that takes all words that are left. */
function isManyWords(arg: Arg<unknown>): boolean {
  return arg.kind === "endpoints" && isPositional(arg);
}

function argDef(arg: Arg<unknown>): ArgDef {
  const description = arg.required
    ? arg.description
    : `${arg.description}${isDefaulted(arg) ? "" : " (optional)"}`;
  if (isPositional(arg))
    return { type: "positional", description, ...(isManyWords(arg) ? { valueHint: MANY } : {}) };
  if (arg.kind === "flag") return { type: "boolean", description };
  return {
    type: "string",
    description,
    valueHint: arg.placeholder,
    ...(arg.required ? { required: true } : {}),
  };
}

function isDefaulted(arg: Arg<unknown>): boolean {
  return arg.kind === "flag" || arg.description.includes("(default ");
}

/** An optional list of endpoints is a flag, separated by commas. */
function rawValue(arg: Arg<unknown>, value: unknown): unknown {
  return arg.kind === "endpoints" && typeof value === "string"
    ? value.split(",").map((part) => part.trim())
    : value;
}
