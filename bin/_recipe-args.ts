import type { ArgDef, ArgsDef } from "citty";
import type { Arg } from "../lib/arg.ts";
import { ReadbackError } from "../lib/errors.ts";
import { flagName, isPositional, type Recipe } from "../lib/recipe.ts";
import { MANY } from "./_args.ts";

/** A recipe's arguments as citty declares them: positionals in order, then flags. */
export function recipeArgs(recipe: Recipe): ArgsDef {
  const entries = Object.entries(recipe.args);
  const positionals = entries.filter(([, arg]) => isPositional(arg));
  const flags = entries.filter(([, arg]) => !isPositional(arg));
  return Object.fromEntries([...positionals, ...flags].flatMap(([key, arg]) => namedDefs(key, arg)));
}

/** An argument under its name, and under its other names. */
function namedDefs(key: string, arg: Arg<unknown>): [string, ArgDef][] {
  const own = argDef(arg);
  const same = { ...own, description: `the same as --${flagName(key)}` };
  return [[flagName(key), own], ...arg.aliases.map((name): [string, ArgDef] => [flagName(name), same])];
}

/**
 * What was typed, keyed as the recipe has it; absent arguments are left out.
 *
 * @throws usage_error - one argument is given by two of its names
 */
export function givenArgs(
  recipe: Recipe,
  parsed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const words = parsed["_"] as readonly string[];
  const order = Object.keys(recipe.args).filter((key) => isPositional(recipe.args[key] as Arg<unknown>));
  const given = Object.entries(recipe.args).flatMap(([key, arg]): [string, unknown][] => {
    const value =
      arg.kind === "endpoints" && isPositional(arg)
        ? words.slice(order.indexOf(key))
        : byAnyName(key, arg, parsed);
    return value === undefined ? [] : [[key, rawValue(arg, value)]];
  });
  return Object.fromEntries(given);
}

function byAnyName(key: string, arg: Arg<unknown>, parsed: Readonly<Record<string, unknown>>): unknown {
  const given = [key, ...arg.aliases].map(flagName).filter((name) => parsed[name] !== undefined);
  const [first, second] = given;
  if (second !== undefined)
    throw new ReadbackError(
      "usage_error",
      `--${first} and --${second} are the same argument; give one of them`,
    );
  return first === undefined ? undefined : parsed[first];
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
    // With two names neither flag is required by itself; the recipe says when both are missing.
    ...(arg.required && arg.aliases.length === 0 ? { required: true } : {}),
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
