import type { LoadedRecipe } from "../lib/load/loaded-recipe.ts";
import { flagName, isPositional } from "../lib/recipe.ts";

/** `readback/recipes@1` (docs/json.md): recipes and what they take. */
export function recipesDocument(loaded: readonly LoadedRecipe[]): Record<string, unknown> {
  return { schema: "readback/recipes@1", recipes: loaded.map(entryOf) };
}

function entryOf({ recipe, source, digest }: LoadedRecipe): Record<string, unknown> {
  return {
    name: recipe.name,
    source,
    digest,
    summary: recipe.summary,
    declares: recipe.mutates,
    args: Object.entries(recipe.args).map(([key, arg]) => ({
      name: key,
      flag: isPositional(arg) ? null : `--${flagName(key)}`,
      kind: arg.kind,
      required: arg.required,
      value: arg.placeholder === "" ? null : arg.placeholder,
      choices: arg.choices,
      aliases: arg.aliases.map((name) => `--${flagName(name)}`),
      description: arg.description,
    })),
    example: recipe.example,
  };
}
