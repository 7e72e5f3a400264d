import type { RunRecord } from "../../lib/history/run-record.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { runRecipe } from "../_run-recipe.ts";
import { sessionOf } from "../_session.ts";
import { runsFolder } from "../_team.ts";

export default defineCommand({
  meta: { name: "undo", description: "plan and apply the inverse of a run, from the values before it" },
  args: {
    run: {
      type: "positional",
      required: true,
      description: "run id (readback history lists them), or a file that a run's --json wrote",
    },
    ...RUN_FLAGS,
  },
  async run(context) {
    const { args, rawArgs } = context;
    const record = await readRecord(args.run);
    const connection = await connect(args);
    const { undoRecipe } = await import("../../lib/run/undo-recipe.ts");
    const { recipe, given } = undoRecipe(record, connection.target.host);
    const { digestOf } = await import("../../lib/load/digest.ts");
    const loaded = { recipe, source: "built-in", digest: digestOf(JSON.stringify(record.plan)) };
    const words = ["readback", "undo", ...rawArgs];
    return await runRecipe({ loaded, given, flags: args, connection, words }, sessionOf(context));
  },
});

/** A word with a slash or one that ends in .json is a file. */
async function readRecord(word: string): Promise<RunRecord> {
  const { readResult, readRun } = await import("../../lib/history/read.ts");
  if (!/[\\/]|\.json$/.test(word)) return await readRun(await runsFolder(), word);
  const { environment, startFolder } = await import("../../lib/config.ts");
  const { resolve } = await import("node:path");
  return await readResult(resolve(startFolder(environment()), word));
}
