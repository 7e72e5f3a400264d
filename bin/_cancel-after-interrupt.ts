import { arg } from "../lib/arg.ts";
import { ReadbackError } from "../lib/errors.ts";
import { defineRecipe } from "../lib/recipe.ts";
import type { ApplyContext } from "../lib/run/context.ts";
import { deadlineSignal } from "../lib/run/deadline-signal.ts";
import { cancel } from "../lib/steps/cancel.ts";
import type { Connection } from "./_connect.ts";
import { stepRecipe } from "./_step-recipe.ts";

/** How long cancelling and its proof may take, in milliseconds. */
const CANCEL_MS = 5_000;
/** The part of it that each look before the cancel may take: the cancel is what the person asked for. */
const STATUS_MS = 1_000;

export interface Interrupted {
  readonly endpoint: string;
  readonly job: string;
  /** What the interrupted wait ended with. */
  readonly error: ReadbackError;
}

/** `--cancel-on-interrupt`: cancels the job that was waited for, once, and proves it by a fresh read. @returns what to tell */
export async function cancelAfterInterrupt(
  { endpoint, job, error }: Interrupted,
  connection: Connection,
  options: Pick<ApplyContext, "startJournal" | "onEvent">,
): Promise<ReadbackError> {
  const deadline = deadlineSignal(CANCEL_MS);
  const context: ApplyContext = {
    ...connection,
    ...options,
    signal: deadline.signal,
    budget: { sinceMs: connection.clock.now(), budgetMs: CANCEL_MS },
    readsNow: false,
    cancelReadMs: STATUS_MS,
  };
  const { planRecipe } = await import("../lib/run/plan-recipe.ts");
  const { applyPlan } = await import("../lib/run/apply-plan.ts");
  const tell = (text: string, followUp: string | null): ReadbackError =>
    new ReadbackError("interrupted", text, { followUp, details: { jobId: job, endpoint } });
  let sent = false;
  try {
    const plan = await planRecipe(await stepRecipe(RECIPE, [job]), { endpoint, job }, context);
    const result = await applyPlan(plan, context);
    sent = result.applied.some(({ status }) => status === "unknown" || status === "applied");
    if (result.error !== null) throw result.error;
    if (plan.mutations.length === 0 || result.outcome === "unchanged")
      return tell(`Interrupted; job ${job} had ended before it could be cancelled`, followUp(endpoint, job));
    return tell(`Interrupted; job ${job} is cancelled: a fresh read says so`, null);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const fate = sent
      ? `Interrupted; job ${job}: the cancel was sent, and no read proves it: ${why}`
      : `${error.message}; it could not be cancelled: ${why}`;
    return tell(fate, followUp(endpoint, job));
  } finally {
    deadline.end();
  }
}

const RECIPE = defineRecipe({
  name: "cancel-on-interrupt",
  summary: "Cancel the job that was waited for",
  args: { endpoint: arg.endpoint(), job: arg.job() },
  mutates: ["cancel"],
  run: async (ops, { endpoint, job }) => await cancel(ops, { endpoint, id: job }),
});

function followUp(endpoint: string, job: string): string {
  return `readback serverless status ${endpoint} ${job}`;
}
