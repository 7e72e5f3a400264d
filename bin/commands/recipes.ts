import type { LoadedRecipe } from "../../lib/load/loaded-recipe.ts";
import { shownArg } from "../_args.ts";
import { defineCommand } from "../_command.ts";
import { JSON_FLAG } from "../_flags.ts";
import { printJson, printText, tableText } from "../_output.ts";
import { recipeArgs } from "../_recipe-args.ts";
import { loadNamedRecipe, recipeNames } from "../_recipes.ts";
import { recipesDocument } from "../_recipes-document.ts";

export default defineCommand({
  meta: {
    name: "recipes",
    description: "list the recipes, or show one: arguments, declared changes, an example",
  },
  args: {
    recipe: { type: "positional", required: false, description: "name of a recipe, or a path to its file" },
    ...JSON_FLAG,
  },
  async run({ args }) {
    const names = args.recipe === undefined ? recipeNames() : [args.recipe];
    const loaded = await Promise.all(names.map(loadNamedRecipe));
    if (args.json) printJson(recipesDocument(loaded));
    else printText(args.recipe === undefined ? listText(loaded) : loaded.map(recipeText).join("\n"));
  },
});

function listText(loaded: readonly LoadedRecipe[]): string {
  const rows = loaded.map(({ recipe }) => [recipe.name, changesOf(recipe.mutates), recipe.summary]);
  return tableText([["RECIPE", "MAY CHANGE", "WHAT IT DOES"], ...rows]);
}

function recipeText({ recipe, source }: LoadedRecipe): string {
  const word = source === "built-in" ? recipe.name : source;
  const args = Object.entries(recipeArgs(recipe)).map(([name, arg]) => [
    `  ${shownArg(name, arg)}`,
    arg.description ?? "",
  ]);
  return [
    `${recipe.name}: ${recipe.summary}`,
    `May change: ${changesOf(recipe.mutates)}`,
    "Arguments:",
    args.length === 0 ? "  none" : tableText(args),
    ...(recipe.example === null ? [] : [`Example: readback run ${word} ${recipe.example} --dry-run`]),
  ].join("\n");
}

function changesOf(mutates: readonly string[]): string {
  return mutates.length === 0 ? "nothing" : mutates.join(", ");
}
