import { parseRecipeArgs, type Recipe } from "../../lib/recipe.ts";
import type { AnyCommand, WordCommand } from "../_command.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { givenArgs, recipeArgs } from "../_recipe-args.ts";
import { loadNamedRecipe } from "../_recipes.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { runRecipe } from "../_run-recipe.ts";
import { sessionOf } from "../_session.ts";
import { assertRecipeMeant } from "../_two-runs.ts";

const command = defineCommand({
  meta: {
    name: "run",
    description: "plan a recipe, show what it would change, ask, apply, read back",
  },
  args: {
    recipe: {
      type: "positional",
      required: true,
      description: "name of a recipe (readback recipes lists them), or a path to its file",
    },
    ...RUN_FLAGS,
  },
});

/** `run`, whose further arguments are those of the recipe named first. */
export default { ...command, forWord: recipeCommand, run: () => {} } satisfies WordCommand;

async function recipeCommand(word: string, argv: readonly string[]): Promise<AnyCommand> {
  assertRecipeMeant(word, argv);
  const loaded = await loadNamedRecipe(word);
  const { recipe } = loaded;
  return defineCommand({
    meta: { name: recipe.name, description: descriptionOf(recipe) },
    args: { ...recipeArgs(recipe), ...RUN_FLAGS },
    async run(context) {
      const given = givenArgs(recipe, context.args);
      parseRecipeArgs(recipe, given); // bad values end the command before it looks for a key
      const connection = await connect(context.args);
      const words = ["readback", "run", word, ...context.rawArgs];
      return await runRecipe({ loaded, given, flags: context.args, connection, words }, sessionOf(context));
    },
  });
}

function descriptionOf({ summary, mutates, example, name }: Recipe): string {
  const changes = mutates.length === 0 ? "Changes nothing." : `May change: ${mutates.join(", ")}.`;
  const call = example === null ? "" : `\n\nExample: readback run ${name} ${example}`;
  return `${summary}\n${changes}${call}`;
}
