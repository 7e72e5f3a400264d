import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { runRecipe } from "../_run-recipe.ts";
import { sessionOf } from "../_session.ts";
import { readEnvFile } from "../_update-env-file.ts";
import { givenUpdate, updateFlags } from "../_update-flags.ts";
import { updateCall } from "../_update-recipe.ts";

export default defineCommand({
  meta: {
    name: "update",
    description: "set single fields of an endpoint, with preview, read-back, history and undo",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...updateFlags(),
    ...RUN_FLAGS,
  },
  async run(context) {
    const { args, rawArgs } = context;
    const { loaded, given } = await updateCall(args.endpoint, givenUpdate(args), { readEnv: readFromHere });
    const connection = await connect(args); // what cannot be sent anyway ends the command before it looks for a key
    const words = ["readback", "serverless", "update", ...rawArgs];
    return await runRecipe({ loaded, given, flags: args, connection, words }, sessionOf(context));
  },
});

/** Relative paths start where the person stands. */
async function readFromHere(path: string): Promise<Readonly<Record<string, string>>> {
  const { environment, startFolder } = await import("../../lib/config.ts");
  const { resolve } = await import("node:path");
  return await readEnvFile(resolve(startFolder(environment()), path));
}
