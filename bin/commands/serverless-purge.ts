import { arg } from "../../lib/arg.ts";
import { defineRecipe } from "../../lib/recipe.ts";
import { purge } from "../../lib/steps/purge.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { runRecipe } from "../_run-recipe.ts";
import { sessionOf } from "../_session.ts";
import { stepRecipe } from "../_step-recipe.ts";

const RECIPE = defineRecipe({
  name: "serverless-purge",
  summary: "Clear every pending job of an endpoint; running jobs go on",
  args: { endpoint: arg.endpoint() },
  mutates: ["purge"],
  run: async (ops, { endpoint }) => await purge(ops, endpoint),
});

export default defineCommand({
  meta: {
    name: "purge",
    description:
      "clear an endpoint's queue: every pending job, not only bad ones; running jobs go on\nOn a terminal it asks for the endpoint's name; without one it needs --yes. It sends one purge\nand never a second.",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...RUN_FLAGS,
  },
  async run(context) {
    const { args, rawArgs } = context;
    const connection = await connect(args);
    const loaded = await stepRecipe(RECIPE, []);
    const words = ["readback", "serverless", "purge", ...rawArgs];
    const given = { endpoint: args.endpoint };
    return await runRecipe({ loaded, given, flags: args, connection, words }, sessionOf(context));
  },
});
