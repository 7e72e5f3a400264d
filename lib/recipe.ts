import * as v from "valibot";
import type { Arg, ArgValues } from "./arg.ts";
import { ReadbackError } from "./errors.ts";
import type { Ops } from "./ops.ts";
import { SCOPES, type Scope } from "./scopes.ts";

export interface RecipeDefinition<A extends Record<string, Arg<unknown>>, M extends readonly Scope[]> {
  /** kebab-case; what the person types after `readback run`. */
  readonly name: string;
  /** One line: what it does. */
  readonly summary: string;
  /** Required endpoints and jobs are positionals in this order, everything else is a flag in kebab-case. */
  readonly args?: A;
  /** Every kind of change that `run` may make; `[]` is read-only, by type and at run time. */
  readonly mutates: M;
  /** Arguments of which at least one must be given. */
  readonly needsOneOf?: readonly (keyof A & string)[];
  /** An example of the arguments, for the help. */
  readonly example?: string;
  run(ops: Ops<M[number]>, args: ArgValues<A>): Promise<unknown>;
}

// Symbol.for: a recipe file may hold another copy of the library than the command that runs it.
const brand: unique symbol = Symbol.for("readback.recipe") as never;

/** A recipe, as the commands handle it: the types of its arguments are checked by then. */
export interface Recipe {
  readonly [brand]: true;
  readonly name: string;
  readonly summary: string;
  readonly args: Readonly<Record<string, Arg<unknown>>>;
  readonly mutates: readonly Scope[];
  /** Arguments of which at least one must be given; none where that does not matter. */
  readonly needsOneOf: readonly string[];
  readonly example: string | null;
  readonly run: (ops: Ops<Scope>, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Flags that every command may take; a recipe cannot have an argument of one of these names. */
export const GLOBAL_FLAGS: readonly string[] = [
  ...["accept", "allow-host", "dry-run", "exit-code", "help", "json", "out", "sandbox", "show-requests"],
  ...["show-secrets", "timeout", "until-effective", "version", "watch", "yes"],
];

/**
 * Defines a recipe: what it is called, what it takes, which changes it may make, and how it runs.
 *
 * @throws recipe_error - a name is not kebab-case, a scope does not exist, or an argument has the name of a global flag
 * or of another argument.
 * @example
 * ```ts
 * import { arg, defineRecipe, readEndpoint } from "readback";
 *
 * export default defineRecipe({
 *   name: "show-max",
 *   summary: "Show an endpoint's maximum of workers",
 *   args: { endpoint: arg.endpoint() },
 *   mutates: [],
 *   run: async (ops, { endpoint }) => (await readEndpoint(ops, endpoint)).workers.max,
 * });
 * ```
 */
export function defineRecipe<
  const A extends Record<string, Arg<unknown>> = Record<never, never>,
  const M extends readonly Scope[] = readonly Scope[],
>(definition: RecipeDefinition<A, M>): Recipe {
  const args = definition.args ?? {};
  checkName(definition.name);
  for (const scope of definition.mutates) checkScope(definition.name, scope);
  const names = argNames(args);
  for (const key of names) checkArgName(definition.name, key);
  const twice = names.find((key, i) => names.indexOf(key) !== i);
  if (twice !== undefined) throw nameTwice(definition.name, twice);
  return {
    [brand]: true,
    name: definition.name,
    summary: definition.summary,
    args,
    mutates: [...new Set(definition.mutates)],
    needsOneOf: definition.needsOneOf ?? [],
    example: definition.example ?? null,
    run: definition.run as Recipe["run"],
  };
}

/** True for what {@link defineRecipe} gives, also when another copy of the library made it. */
export function isRecipe(value: unknown): value is Recipe {
  return typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === true;
}

/** The flag of an argument: `minCuda` is `min-cuda`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** True when the argument is given by position: a required endpoint, endpoints or job. */
export function isPositional(arg: Arg<unknown>): boolean {
  return arg.required && arg.kind !== "value" && arg.kind !== "flag";
}

/**
 * Reads the arguments of a recipe from what the person typed, keyed as in the recipe.
 *
 * @throws usage_error - a required argument is missing, none of several is given, or a value is not what the argument takes.
 */
export function parseRecipeArgs(
  recipe: Recipe,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  checkOneOf(recipe, given);
  for (const [key, spec] of Object.entries(recipe.args)) values[key] = parseArg(key, spec, given[key]);
  return values;
}

function parseArg(key: string, spec: Arg<unknown>, given: unknown): unknown {
  const shown = isPositional(spec) ? `<${key}>` : `--${flagName(key)}`;
  if (given === undefined && spec.required)
    throw new ReadbackError("usage_error", `Missing ${shown}: ${spec.description}`);
  const parsed = v.safeParse(spec.schema, given);
  if (parsed.success) return parsed.output;
  throw new ReadbackError(
    "usage_error",
    `Cannot use ${shown} ${JSON.stringify(given)}: ${parsed.issues[0].message}`,
  );
}

function checkOneOf(recipe: Recipe, given: Readonly<Record<string, unknown>>): void {
  const { needsOneOf } = recipe;
  if (needsOneOf.length === 0 || needsOneOf.some((key) => given[key] !== undefined)) return;
  const flags = needsOneOf.map((key) => `--${flagName(key)}`).join(", ");
  throw new ReadbackError("usage_error", `Nothing to do: give at least one of ${flags}`);
}

/** Every name that an argument can be given by; each must be its own. */
function argNames(args: Readonly<Record<string, Arg<unknown>>>): readonly string[] {
  return Object.entries(args).flatMap(([key, { aliases }]) => [key, ...aliases]);
}

function checkName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new ReadbackError(
      "recipe_error",
      `Cannot define recipe ${JSON.stringify(name)}: a name is kebab-case`,
    );
}

function checkScope(recipe: string, scope: Scope): void {
  if (!SCOPES.includes(scope))
    throw new ReadbackError(
      "recipe_error",
      `Cannot define recipe "${recipe}": mutates has "${scope}", which is no scope; scopes are ${SCOPES.join(", ")}`,
    );
}

function checkArgName(recipe: string, key: string): void {
  if (!/^[a-z][A-Za-z0-9]*$/.test(key))
    throw new ReadbackError(
      "recipe_error",
      `Cannot define recipe "${recipe}": argument "${key}" is not camelCase`,
    );
  if (GLOBAL_FLAGS.includes(flagName(key)))
    throw new ReadbackError(
      "recipe_error",
      `Cannot define recipe "${recipe}": --${flagName(key)} is a flag of every command, name the argument otherwise`,
    );
}

function nameTwice(recipe: string, key: string): ReadbackError {
  return new ReadbackError(
    "recipe_error",
    `Cannot define recipe "${recipe}": two arguments go by the name "${key}"`,
  );
}
