import { readJobState } from "../lib/api/job-text.ts";
import { payloadOf } from "../lib/api/payload-error.ts";
import type { ReadbackError } from "../lib/errors.ts";
import type { RunResult } from "../lib/plan/result.ts";
import { jobFailed } from "../lib/wait/job-errors.ts";
import { type Connection, connect } from "./_connect.ts";
import { type EnvelopeFlags, envelopeOf } from "./_envelope.ts";
import { doubtsAbout, outputError } from "./_job-outcome.ts";
import { formatOf, type PayloadFormat, printPayload } from "./_payload.ts";
import { openReport, type Report } from "./_report.ts";
import type { RunFlags } from "./_run-flags.ts";
import { runJobRecipe } from "./_run-job-recipe.ts";
import { journalOf, runRecipe } from "./_run-recipe.ts";
import type { Session } from "./_session.ts";
import { stepRecipe } from "./_step-recipe.ts";
import { nothingSubmitted } from "./_wait-budget.ts";
import { waitMsOf } from "./_wait-flag.ts";

/** The flags of `serverless run` as given. */
export interface SubmitFlags extends EnvelopeFlags, RunFlags {
  readonly wait?: unknown;
  readonly output?: string | undefined;
  readonly "cancel-on-interrupt"?: boolean | undefined;
  readonly "fail-on-output-error"?: boolean | undefined;
}

/** One call of `serverless run`. */
export interface SubmitCall {
  /** By id or by name, as given. */
  readonly endpoint: string;
  readonly flags: SubmitFlags;
  /** The words after the endpoint. */
  readonly rawArgs: readonly string[];
}

/** Submits one job, waits for it and prints what the service says. @returns the exit status */
export async function submit(call: SubmitCall, session: Session): Promise<number> {
  const { endpoint, flags, rawArgs } = call;
  const { environment } = await import("../lib/config.ts");
  const report = await openReport(environment());
  const format = formatOf(flags.output);
  const waitMs = waitMsOf(flags.wait, rawArgs, { fallback: "5m" });
  const envelope = await envelopeOf(flags, { report, signal: session.signal });
  const connection = await connect(flags);
  const sinceMs = connection.clock.now();
  const recipe = runJobRecipe({ envelope, waitMs, sinceMs, hold: !rawArgs.includes("--no-hold") });
  const spent = { endpoint, waitMs, note: (text: string): void => report.note(text) };
  const telling = { flags, format, report, session, connection, spent };
  const asked = {
    loaded: await stepRecipe(recipe, [envelope.body]),
    given: { endpoint },
    flags,
    connection,
    words: ["readback", "serverless", "run", endpoint, ...rawArgs],
    atOnce: true,
    tell: (result: RunResult) => tell(result, telling),
    ...(waitMs === 0 ? {} : { budget: { sinceMs, budgetMs: waitMs } }),
  };
  try {
    return await runRecipe(asked, session);
  } catch (error) {
    throw nothingSubmitted(error, spent);
  }
}

interface Telling {
  readonly flags: SubmitFlags;
  readonly format: PayloadFormat;
  readonly report: Report;
  readonly session: Session;
  readonly connection: Connection;
  readonly spent: Parameters<typeof nothingSubmitted>[1];
}

/** Prints the last payload, whatever the end, and tells the rest on stderr. */
async function tell(result: RunResult, telling: Telling): Promise<number> {
  const [submitted] = result.applied;
  const error = await finalError(result, telling);
  const payload = textOf(result.value) ?? payloadOf(result.error) ?? submitted?.job?.text ?? null;
  if (payload !== null) await printPayload(payload, telling.format);
  if (error !== null) return await telling.session.report(error);
  return await endOf(payload ?? "", result, telling);
}

async function endOf(text: string, { applied }: RunResult, telling: Telling): Promise<number> {
  const [submitted] = applied;
  const endpoint = submitted?.mutation.endpoint ?? "";
  const seen = { endpoint, job: submitted?.job?.id ?? "", status: readJobState(text)?.status ?? null, text };
  // A submit can answer with the end of its job, and --no-wait must not call that a success.
  const ended = jobFailed(seen, seen);
  const failure = ended ?? (telling.flags["fail-on-output-error"] === true ? outputError(seen) : null);
  if (failure !== null) return await telling.session.report(failure);
  const doubt = doubtsAbout(seen);
  if (doubt !== null) telling.report.note(doubt);
  return 0;
}

async function finalError(result: RunResult, telling: Telling): Promise<ReadbackError | null> {
  const { flags, connection, report, spent } = telling;
  const { error } = result;
  const [submitted] = result.applied;
  const job = submitted?.job?.id ?? null;
  const endpoint = submitted?.mutation.endpoint ?? null;
  const cancels = flags["cancel-on-interrupt"] === true && error?.code === "interrupted";
  if (error === null || !cancels || job === null || endpoint === null) return nothingSubmitted(error, spent);
  const { cancelAfterInterrupt } = await import("./_cancel-after-interrupt.ts");
  report.note(`cancelling job ${job}`);
  return await cancelAfterInterrupt({ endpoint, job, error }, connection, {
    startJournal: journalOf({ connection }),
    onEvent: (event) => {
      if (event.type === "note") report.note(event.text);
    },
  });
}

function textOf(value: unknown): string | null {
  const text = typeof value === "object" && value !== null ? Reflect.get(value, "text") : null;
  return typeof text === "string" ? text : null;
}
