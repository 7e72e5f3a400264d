import type { LookClient } from "../../lib/api/client.ts";
import { payloadOf } from "../../lib/api/payload-error.ts";
import { isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import { waitTimeout } from "../../lib/wait/job-errors.ts";
import { defineCommand } from "../_command.ts";
import { type Connection, connect, lookClient } from "../_connect.ts";
import { CONNECTION_FLAGS, HOLD_FLAG, JSON_FLAG, PAYLOAD_FLAGS } from "../_flags.ts";
import { invokeId } from "../_invoke-id.ts";
import { jobNotes } from "../_job-notes.ts";
import { doubtsAbout } from "../_job-outcome.ts";
import { notesOf } from "../_notes.ts";
import { formatOf, printPayload } from "../_payload.ts";
import { type Session, sessionOf } from "../_session.ts";
import { waitMsOf } from "../_wait-flag.ts";

export default defineCommand({
  meta: {
    name: "status",
    description:
      "show a job as the service gives it; waits only when asked\nExit 0 while it is queued or running and when it is COMPLETED, 1 (job_failed) when it\nended otherwise. A wait can overrun by up to 1 s.",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    job: { type: "positional", required: true, description: "job id" },
    wait: {
      type: "string",
      valueHint: "DURATION",
      description: "wait up to this long for the job to end (default 0)",
    },
    ...HOLD_FLAG,
    ...PAYLOAD_FLAGS,
    ...JSON_FLAG,
    ...CONNECTION_FLAGS,
  },
  async run(context) {
    const { args, rawArgs } = context;
    const session = sessionOf(context);
    const format = formatOf(args.output);
    const waitMs = waitMsOf(args.wait, rawArgs, { fallback: "0" });
    const connection = await connect(args);
    const hold = !rawArgs.includes("--no-hold");
    const asked = { given: args.endpoint, job: args.job, waitMs, hold };
    const notes = notesOf();
    const { payload, error } = await look(asked, { connection, session, note: notes.note }).catch(
      keepPayload,
    );
    await notes.told();
    if (payload !== null) await printPayload(payload, format);
    return error === null ? 0 : await session.report(error);
  },
});

interface Asked {
  readonly given: string;
  readonly job: string;
  readonly waitMs: number;
  readonly hold: boolean;
}

interface Answer {
  readonly payload: string | null;
  readonly error: ReadbackError | null;
}

interface Place {
  readonly connection: Connection;
  readonly session: Session;
  readonly note: (text: string) => void;
}

async function look(asked: Asked, place: Place): Promise<Answer> {
  const { job, waitMs, given } = asked;
  const { connection, session, note } = place;
  const { clock } = connection;
  const sinceMs = clock.now();
  const leftMs = (): number => sinceMs + waitMs - clock.now();
  const budget = waitMs === 0 ? {} : { budget: { leftMs } };
  const client = lookClient(connection, { signal: session.signal, ...budget });
  const endpoint = await endpointOf(client, asked, note);
  // One read may still come within the second that a wait can overrun by.
  if (endpoint === null || (waitMs > 0 && leftMs() <= 250 - OVERRUN_MS))
    return { payload: null, error: waitTimeout({ endpoint: given, job }, waitMs, null) };
  const found =
    waitMs === 0
      ? await readOnce(client, endpoint, job)
      : await waitUntilEnded(client, endpoint, { ...place, asked, sinceMs, leftMs: leftMs() });
  const doubt = doubtsAbout({ endpoint, job, status: found.status, text: found.payload ?? "" });
  if (doubt !== null) note(doubt);
  return found;
}

/** Null where the budget was spent on finding the endpoint; the job goes on all the same. */
async function endpointOf(
  client: LookClient,
  { given, waitMs }: Asked,
  note: (text: string) => void,
): Promise<string | null> {
  const options = { note, needsQueue: "read a job of" };
  if (waitMs === 0) return await invokeId(client, given, options);
  try {
    return await invokeId(client, given, { ...options, hurry: true, call: { attempts: 2 } });
  } catch (error) {
    if (!isReadbackError(error, "wait_timeout")) throw error;
    note(error.message);
    return null;
  }
}

async function readOnce(client: LookClient, endpoint: string, job: string) {
  const { readJob } = await import("../../lib/wait/read-job.ts");
  const { text, status, error } = await readJob(client, { endpoint, job });
  return { payload: text, status, error };
}

interface Waiting extends Place {
  readonly asked: Asked;
  readonly sinceMs: number;
  readonly leftMs: number;
}

async function waitUntilEnded(client: LookClient, endpoint: string, waiting: Waiting) {
  const { waitForJob } = await import("../../lib/wait/wait-for-job.ts");
  const { asked, connection, session, sinceMs, leftMs, note } = waiting;
  const { job, waitMs: budgetMs, hold } = asked;
  const waited = await waitForJob({
    client,
    clock: connection.clock,
    endpoint,
    job,
    budgetMs,
    sinceMs,
    hold,
    ...(leftMs > 0 ? {} : { callTimeoutMs: leftMs + OVERRUN_MS }),
    signal: session.signal,
    onEvent: jobNotes(job, note),
  });
  if (waited.ended === "budget" && waited.lastFailure !== null)
    note(`the last read failed: ${waited.lastFailure.message}`);
  return { payload: waited.text, status: waited.status, error: waited.error };
}

const OVERRUN_MS = 1_000;

function keepPayload(error: unknown): Answer {
  if (!isReadbackError(error)) throw error;
  return { payload: payloadOf(error), error };
}
