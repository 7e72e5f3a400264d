import { errorDocument, type ReadbackError } from "../../lib/errors.ts";
import type { RunResult } from "../../lib/plan/result.ts";
import { MANY } from "../_args.ts";
import { cancelRecipe, type PlannedCancel } from "../_cancel-recipe.ts";
import { cancelError, cancelRows, cancelText, plannedCancelError } from "../_cancel-report.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { printJson, printText } from "../_output.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { runRecipe } from "../_run-recipe.ts";
import { type Session, sessionOf } from "../_session.ts";
import { stepRecipe } from "../_step-recipe.ts";

export default defineCommand({
  meta: {
    name: "cancel",
    description:
      "cancel queued or running jobs at once, each proved by a fresh status\nNaming the jobs is the consent: nobody is asked. A job that had already ended is left alone,\nexit 0. The API has no documented list of jobs: ids come from the submits.",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    job: { type: "positional", required: true, valueHint: MANY, description: "job ids" },
    ...RUN_FLAGS,
  },
  async run(context) {
    const { args, rawArgs } = context;
    const session = sessionOf(context);
    const jobs = [...new Set(args._.slice(1))];
    const planned: PlannedCancel[] = [];
    const loaded = await stepRecipe(
      cancelRecipe(jobs, (one) => planned.push(one)),
      jobs,
    );
    const connection = await connect(args);
    const words = ["readback", "serverless", "cancel", ...rawArgs];
    const given = { endpoint: args.endpoint };
    const tell = (result: RunResult): Promise<number> => tellCancel(result, planned, session, args.json);
    const leftOut = (): ReadbackError | null => plannedCancelError(planned);
    const call = { loaded, given, flags: args, connection, words, atOnce: true, tell, leftOut };
    return await runRecipe(call, session);
  },
});

async function tellCancel(
  result: RunResult,
  planned: readonly PlannedCancel[],
  session: Session,
  json: boolean | undefined,
): Promise<number> {
  const rows = cancelRows(planned, result);
  const error = result.error?.code === "interrupted" ? result.error : cancelError(rows);
  if (json) {
    const { resultDocument } = await import("../../lib/plan/document.ts");
    const value = rows.map((row) => ({
      ...row,
      error: row.error === null ? null : errorDocument(row.error),
    }));
    printJson(resultDocument({ ...result, value, error }));
  } else printText(cancelText(rows, wasSent(result) && result.recorded ? result.runId : null));
  return error === null ? 0 : await session.report(error);
}

function wasSent({ applied }: RunResult): boolean {
  return applied.some(({ status }) => status !== "skipped");
}
