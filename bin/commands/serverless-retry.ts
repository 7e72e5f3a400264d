import { arg } from "../../lib/arg.ts";
import { defineRecipe } from "../../lib/recipe.ts";
import { retry } from "../../lib/steps/retry.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { runRecipe } from "../_run-recipe.ts";
import { sessionOf } from "../_session.ts";
import { stepRecipe } from "../_step-recipe.ts";

const RECIPE = defineRecipe({
  name: "serverless-retry",
  summary: "Run a job again that failed or timed out; its output is lost",
  args: { endpoint: arg.endpoint(), job: arg.job() },
  mutates: ["retry"],
  run: async (ops, { endpoint, job }) => await retry(ops, { endpoint, id: job }),
});

export default defineCommand({
  meta: {
    name: "retry",
    description:
      "run a job again that FAILED or TIMED_OUT, with the same id and input\nIt bills again, and the job's earlier output is lost. It shows what it would do and asks.",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    job: { type: "positional", required: true, description: "job id" },
    ...RUN_FLAGS,
  },
  async run(context) {
    const { args, rawArgs } = context;
    const connection = await connect(args);
    const loaded = await stepRecipe(RECIPE, []);
    const words = ["readback", "serverless", "retry", ...rawArgs];
    const given = { endpoint: args.endpoint, job: args.job };
    return await runRecipe({ loaded, given, flags: args, connection, words }, sessionOf(context));
  },
});
