import { arg } from "../arg.ts";
import { ReadbackError } from "../errors.ts";
import { nearest } from "../near.ts";
import { flagName, type Recipe } from "../recipe.ts";
import type { Team } from "./team.ts";

/**
 * Gives a recipe the team's values for flags that are not given; the help shows them. An endpoint or a job is always
 * named by the person, and a switch is never set from a file.
 *
 * @throws usage_error - the recipe has no such flag, or it takes no default
 */
export function withDefaults(recipe: Recipe, { defaults, shown }: Pick<Team, "defaults" | "shown">): Recipe {
  const values = Object.hasOwn(defaults, recipe.name) ? defaults[recipe.name] : undefined;
  if (values === undefined) return recipe;
  const args = { ...recipe.args };
  for (const [flag, value] of Object.entries(values)) {
    const field = `${shown}: defaults.${recipe.name}.${flag}`;
    const key = keyOf(recipe, flag, field);
    const spec = args[key];
    if (spec?.kind !== "value") throw usage(`${field}: --${flag} takes no default; each call gives it`);
    const plain = { ...spec, description: spec.description.replace(/ \(default [^)]*\)$/, "") };
    args[key] = arg.withDefault(plain, String(value));
  }
  return { ...recipe, args };
}

/**
 * Checks that the team's defaults are for recipes that there are.
 *
 * @param names of the recipes that go by a name
 * @throws usage_error
 */
export function assertDefaults(
  { defaults, shown }: Pick<Team, "defaults" | "shown">,
  names: readonly string[],
): void {
  const unknown = Object.keys(defaults).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, names);
  const hint = near === undefined ? "" : `, did you mean ${near}?`;
  throw usage(`${shown}: defaults.${unknown}: there is no recipe "${unknown}"${hint}`);
}

function keyOf(recipe: Recipe, flag: string, field: string): string {
  const flags = Object.entries(recipe.args).flatMap(([key, { aliases }]) =>
    [key, ...aliases].map((name) => ({ key, name: flagName(name) })),
  );
  const found = flags.find(({ name }) => name === flag);
  if (found !== undefined) return found.key;
  const near = nearest(
    flag,
    flags.map(({ name }) => name),
  );
  const hint = near === undefined ? "" : `, did you mean ${near}?`;
  throw usage(`${field}: ${recipe.name} has no flag --${flag}${hint}`);
}

function usage(message: string): ReadbackError {
  return new ReadbackError("usage_error", message);
}
