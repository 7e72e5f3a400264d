import { isCompleted } from "../../lib/api/job-text.ts";
import { compactJson } from "../../lib/api/json-text.ts";
import { payloadOf } from "../../lib/api/payload-error.ts";
import { isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import type { StreamResult } from "../../lib/run/engine.ts";
import { jobFailed, waitInterrupted } from "../../lib/wait/job-errors.ts";
import { defineCommand } from "../_command.ts";
import { type Connection, connect, consumeClient, lookClient } from "../_connect.ts";
import { CONNECTION_FLAGS, JSON_FLAG } from "../_flags.ts";
import { invokeId } from "../_invoke-id.ts";
import { notesOf } from "../_notes.ts";
import { printLine } from "../_payload.ts";
import { type Session, sessionOf } from "../_session.ts";

export default defineCommand({
  meta: {
    name: "stream",
    description:
      "print a job's chunks as they come, one JSON line each, to the job's end\nThe service hands each chunk out once: a second call does not get them again. Of a job without chunks the status is printed.",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    job: { type: "positional", required: true, description: "job id" },
    ...JSON_FLAG,
    ...CONNECTION_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const session = sessionOf(context);
    const connection = await connect(args);
    const { note, told } = notesOf();
    const client = lookClient(connection, { signal: session.signal });
    const endpoint = await invokeId(client, args.endpoint, { note, needsQueue: "stream a job of" });
    const error = await stream({ endpoint, job: args.job }, { connection, session, note });
    await told();
    return error === null ? 0 : await session.report(error);
  },
});

interface JobName {
  readonly endpoint: string;
  readonly job: string;
}

interface Streaming {
  readonly connection: Connection;
  readonly session: Session;
  readonly note: (text: string) => void;
}

/** Null for a job that COMPLETED. */
async function stream(name: JobName, at: Streaming): Promise<ReadbackError | null> {
  const ended = await chunksOf(name, at);
  if (ended.chunks > 0 || !isCompleted(ended.status)) return jobFailed(name, ended);
  at.note(
    "WARN no chunks: they were already drained by an earlier call, or the handler does not yield; this is the job's status",
  );
  const { readJob } = await import("../../lib/wait/read-job.ts");
  const client = lookClient(at.connection, { signal: at.session.signal });
  const { text, error } = await readJob(client, name);
  await printLine(compactJson(text));
  return error;
}

/** Each chunk is out before the next one is asked for. */
async function chunksOf(name: JobName, { connection, session }: Streaming): Promise<StreamResult> {
  const { drainStream } = await import("../../lib/run/drain-stream.ts");
  const client = consumeClient(connection, { signal: session.signal });
  const { clock } = connection;
  const { signal } = session;
  let last: Promise<void> = Promise.resolve();
  const onChunk = (text: string): void => {
    last = last.then(() => printLine(text));
  };
  const job = { endpoint: name.endpoint, id: name.job };
  try {
    return await drainStream(job, { onChunk, budgetMs: Number.POSITIVE_INFINITY }, { client, clock, signal });
  } catch (error) {
    throw signal.aborted && isReadbackError(error) ? interrupted(name, error) : error;
  } finally {
    await last;
  }
}

function interrupted(name: JobName, error: ReadbackError): ReadbackError {
  const text = payloadOf(error);
  return waitInterrupted(name, error, text === null ? null : { text, status: null });
}
