import { parseRecipeArgs } from "../../lib/recipe.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { CONNECTION_FLAGS, JSON_FLAG } from "../_flags.ts";
import { givenArgs } from "../_recipe-args.ts";
import { loadNamedRecipe } from "../_recipes.ts";
import { runRecipe } from "../_run-recipe.ts";
import { sessionOf } from "../_session.ts";

/** `readback run diagnose` under a shorter name: it changes nothing, so it has no flags of an apply. */
export default defineCommand({
  meta: {
    name: "diagnose",
    description: "say why an endpoint is slow, stuck or failing, by reads alone; submits no job",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    job: { type: "string", valueHint: "ID", description: "a job to explain" },
    symptom: {
      type: "string",
      valueHint: "queue|crash|cold-start|load-balancer",
      description: "what seems wrong: it widens the reads",
    },
    ...JSON_FLAG,
    ...CONNECTION_FLAGS,
  },
  async run(context) {
    const loaded = await loadNamedRecipe("diagnose");
    const given = givenArgs(loaded.recipe, context.args);
    parseRecipeArgs(loaded.recipe, given); // bad values end the command before it looks for a key
    const connection = await connect(context.args);
    const words = ["readback", "diagnose", ...context.rawArgs];
    return await runRecipe({ loaded, given, flags: context.args, connection, words }, sessionOf(context));
  },
});
