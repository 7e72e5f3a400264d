import { arg } from "../lib/arg.ts";
import { isReadbackError, type ReadbackError } from "../lib/errors.ts";
import { defineRecipe, type Recipe } from "../lib/recipe.ts";
import { laterInfo } from "../lib/run/later.ts";
import { cancel } from "../lib/steps/cancel.ts";

/** What planning the cancel of one job came to. */
export interface PlannedCancel {
  readonly job: string;
  /** The state it had ended in, so that nothing is sent for it; null where a cancel is planned. */
  readonly ended: string | null;
  /** Why it cannot be cancelled. */
  readonly error: ReadbackError | null;
}

/** The recipe that `serverless cancel` is: one job that cannot be cancelled does not stop the others. */
export function cancelRecipe(jobs: readonly string[], planned: (one: PlannedCancel) => void): Recipe {
  return defineRecipe({
    name: "serverless-cancel",
    summary: "Cancel jobs, each proved by a fresh status",
    args: { endpoint: arg.endpoint() },
    mutates: ["cancel"],
    async run(ops, { endpoint }) {
      for (const job of jobs) {
        try {
          const change = await cancel(ops, { endpoint, id: job });
          // What will be cancelled is known only afterwards.
          planned({ job, ended: laterInfo(change) ? null : change.status, error: null });
        } catch (error) {
          if (!isReadbackError(error) || !ABOUT_ONE_JOB.includes(error.code)) throw error;
          planned({ job, ended: null, error });
        }
      }
    },
  });
}

const ABOUT_ONE_JOB = [
  "not_found",
  "bad_request",
  "server_error",
  "network_error",
  "call_timeout",
  "api_error",
];
