import { createStreamClient } from "../../lib/api/stream-client.ts";
import { environment } from "../../lib/config.ts";
import type { ReadbackError } from "../../lib/errors.ts";
import { followLogs } from "../../lib/logs/follow-logs.ts";
import type { LogLine } from "../../lib/logs/log-line.ts";
import { logQuery } from "../../lib/logs/log-options.ts";
import { type LogsRequest, readLogs } from "../../lib/logs/read-logs.ts";
import type { WorkerLog } from "../../lib/logs/read-worker.ts";
import { plain } from "../../lib/plan/paint.ts";
import { readByEndpoint } from "../_by-endpoint.ts";
import { defineCommand } from "../_command.ts";
import { connect } from "../_connect.ts";
import { CONNECTION_FLAGS, JSON_FLAG, listOf } from "../_flags.ts";
import { type LinesOut, openLinesOut } from "../_lines-out.ts";
import { LOG_FLAGS, logOptionsOf, maxWaitOf } from "../_log-flags.ts";
import { logText } from "../_log-text.ts";
import { paintFor } from "../_paint.ts";
import { openReport } from "../_report.ts";
import { type Session, sessionOf } from "../_session.ts";
import { isTerminal } from "../_terminal.ts";

export default defineCommand({
  meta: {
    name: "logs",
    description: "show what an endpoint's workers log: text on a terminal, JSON lines otherwise",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...LOG_FLAGS,
    json: { ...JSON_FLAG.json, description: "print one JSON document a line, and errors as one JSON line" },
    ...CONNECTION_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const follow = args.follow ?? false;
    const wait = maxWaitOf(args["max-wait"], follow);
    const now = (connection: { now(): number }) => logQuery(logOptionsOf(args, connection.now()));
    now(Date); // nothing is asked for before the whole line is understood
    const { target, clock, fetch } = await connect(args);
    const session = sessionOf(context);
    const out = openLinesOut();
    const signal = AbortSignal.any([session.signal, out.closed]);
    const report = await openReport(environment());
    const inProcess = fetch === undefined ? {} : { fetch };
    const client = createStreamClient(target, { clock, signal, onNote: report.note, ...inProcess });
    const request: Omit<LogsRequest, "endpoint"> = {
      ...{ client, clock, signal, ...wait },
      query: now(clock),
      workers: [...new Set(listOf(args.worker))],
      onLines: await printer(out, args.json ?? false),
      onNote: report.note,
    };
    if (args.tail !== undefined && args.since !== undefined)
      report.note("--tail does not count beside --since");
    try {
      const logs = await readByEndpoint(client, args.endpoint, (endpoint) =>
        readOrMiss(endpoint, request, follow ? followLogs : readLogs),
      );
      return await conclude(logs, session, report.note);
    } catch (error) {
      if (out.closed.aborted && !session.signal.aborted) return 0; // who reads has read enough
      throw error;
    }
  },
});

type Reading = (request: LogsRequest) => Promise<readonly WorkerLog[]>;

/** Named workers are read without a list; that none of them is found may mean that the endpoint was given by name. */
async function readOrMiss(
  endpoint: string,
  request: Omit<LogsRequest, "endpoint">,
  read: Reading,
): Promise<readonly WorkerLog[]> {
  const logs = await read({ ...request, endpoint });
  const [first] = logs;
  const none = logs.every(({ ended, lines }) => ended === "gone" && lines === 0);
  if (none && first?.error) throw first.error;
  return logs;
}

/** A worker that was not read is told; the exit status is 1 when none was, or when one failed for sure. */
async function conclude(
  logs: readonly WorkerLog[],
  session: Session,
  note: (text: string) => void,
): Promise<number> {
  const failed = logs.flatMap(({ error, lines }) => (error === null || lines > 0 ? [] : [error]));
  const some = failed.length < logs.length;
  for (const error of failed) {
    if (some && isSoft(error)) note(error.message);
  }
  const [hard] = failed.filter((error) => !some || !isSoft(error));
  const cut = logs.find(
    ({ ended, lines, error }) => ended === "failed" && lines > 0 && error !== null,
  )?.error;
  const error = hard ?? cut ?? null;
  return error === null ? 0 : await session.report(error);
}

/** What a worker that is quiet or gone looks like. */
function isSoft(error: ReadbackError): boolean {
  return error.code === "call_timeout" || error.code === "not_found";
}

/** One write for all lines of a piece. */
async function printer(out: LinesOut, json: boolean): Promise<(lines: readonly LogLine[]) => void> {
  const isText = !json && (await isTerminal(1));
  const paint = isText ? await paintFor(1, environment()) : plain;
  const show = isText ? (line: LogLine) => logText(line, paint) : (line: LogLine) => JSON.stringify(line);
  return (lines) => out.write(lines.map(show).join("\n"));
}
