import { isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import type { LoadedRecipe } from "../../lib/load/loaded-recipe.ts";
import { shownArg } from "../_args.ts";
import { defineCommand } from "../_command.ts";
import { JSON_FLAG } from "../_flags.ts";
import { printJson, printText, tableText } from "../_output.ts";
import { recipeArgs } from "../_recipe-args.ts";
import { loadNamedRecipe, recipeNames, teamRecipes } from "../_recipes.ts";
import { recipesDocument } from "../_recipes-document.ts";
import { sessionOf } from "../_session.ts";

export default defineCommand({
  meta: {
    name: "recipes",
    description: "list the recipes, or show one: arguments, declared changes, an example",
  },
  args: {
    recipe: { type: "positional", required: false, description: "name of a recipe, or a path to its file" },
    ...JSON_FLAG,
  },
  async run(context) {
    const { recipe, json } = context.args;
    const { loaded, errors } = await loadAll(recipe === undefined ? await allWords() : [recipe]);
    if (recipe !== undefined && errors[0] !== undefined) throw errors[0];
    if (json) printJson(recipesDocument(loaded));
    else printText(recipe === undefined ? listText(loaded) : loaded.map(recipeText).join("\n"));
    let status = 0;
    for (const error of errors) status = await sessionOf(context).report(error);
    return status;
  },
});

/** What each recipe is called by: names, and paths where a name means several. */
async function allWords(): Promise<readonly string[]> {
  const builtIn = recipeNames();
  const team = [...(await teamRecipes())].flatMap(([name, files]) =>
    files.length > 1 || builtIn.includes(name) ? files : [name],
  );
  return [...builtIn, ...team];
}

/** A file that cannot be loaded hides no other. */
async function loadAll(
  words: readonly string[],
): Promise<{ readonly loaded: readonly LoadedRecipe[]; readonly errors: readonly ReadbackError[] }> {
  const loaded: LoadedRecipe[] = [];
  const errors: ReadbackError[] = [];
  for (const word of words) {
    try {
      loaded.push(await loadNamedRecipe(word));
    } catch (error) {
      if (!isReadbackError(error)) throw error;
      errors.push(error);
    }
  }
  return { loaded, errors };
}

function listText(loaded: readonly LoadedRecipe[]): string {
  const rows = loaded.map(({ recipe, source }) => [
    recipe.name,
    source,
    changesOf(recipe.mutates),
    recipe.summary,
  ]);
  return tableText([["RECIPE", "FROM", "MAY CHANGE", "WHAT IT DOES"], ...rows]);
}

function recipeText({ recipe, source }: LoadedRecipe): string {
  const word = source === "built-in" ? recipe.name : source;
  const args = Object.entries(recipeArgs(recipe)).map(([name, arg]) => [
    `  ${shownArg(name, arg)}`,
    arg.description ?? "",
  ]);
  return [
    `${recipe.name}: ${recipe.summary}`,
    `From: ${source}`,
    `May change: ${changesOf(recipe.mutates)}`,
    "Arguments:",
    args.length === 0 ? "  none" : tableText(args),
    ...(recipe.example === null ? [] : [`Example: readback run ${word} ${recipe.example} --dry-run`]),
  ].join("\n");
}

function changesOf(mutates: readonly string[]): string {
  return mutates.length === 0 ? "nothing" : mutates.join(", ");
}
