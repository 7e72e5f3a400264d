import { type LogQuery, openWorkerLogs } from "../api/logs.ts";
import type { StreamClient } from "../api/stream-client.ts";
import type { Clock } from "../clock.ts";
import { ReadbackError } from "../errors.ts";
import type { LogLine } from "./log-line.ts";
import { readBody } from "./read-body.ts";
import { createResume, type Resume } from "./resume.ts";
import { createSnapshotEnd, type SnapshotEnd } from "./snapshot-end.ts";

/** How the reading of one worker's log ended. */
export interface WorkerLog {
  readonly worker: string;
  /** Lines given. */
  readonly lines: number;
  /**
   * `quiet`: nothing came for 750 ms after a line. `max_wait`: it took long enough. `closed`: the service ended the
   * stream. `gone`: there is no such worker. `failed`: `error` says why.
   */
  readonly ended: "quiet" | "max_wait" | "closed" | "gone" | "failed";
  readonly error: ReadbackError | null;
}

export interface WorkerReading {
  readonly endpoint: string;
  readonly query: LogQuery;
  readonly client: StreamClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long a snapshot may take, in milliseconds; null follows, and ends only with the worker. */
  readonly maxWaitMs: number | null;
  /** Told of the new lines of each piece that arrives, in their order. */
  readonly onLines: (lines: readonly LogLine[]) => void;
  readonly onNote: (text: string) => void;
  /** What was read of this worker before. @default nothing */
  readonly resume?: Resume;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
/** Connections in a row that brought no new line; over a minute by then. */
const MOST_EMPTY = 8;
/** A connection that lasted so long was not empty, but quiet. */
const LASTING_MS = 30_000;

/**
 * Reads the log of one worker, over as many connections as it takes: each line once, in the order in which the service
 * sends them. A failure is its result; only an interrupt is thrown.
 *
 * @throws interrupted, or what the signal was aborted with
 */
export async function readWorker(worker: string, reading: WorkerReading): Promise<WorkerLog> {
  const { clock, maxWaitMs } = reading;
  const end = maxWaitMs === null ? null : createSnapshotEnd(clock, maxWaitMs);
  const signal = end === null ? reading.signal : AbortSignal.any([reading.signal, end.signal]);
  const state: State = {
    worker,
    reading,
    end,
    signal,
    resume: reading.resume ?? createResume(),
    lines: 0,
    answered: false,
  };
  try {
    return await readOn(state);
  } finally {
    end?.stop();
  }
}

interface State {
  readonly worker: string;
  readonly reading: WorkerReading;
  readonly end: SnapshotEnd | null;
  readonly signal: AbortSignal;
  readonly resume: Resume;
  lines: number;
  /** Headers came, so that silence is the worker's and not the service's. */
  answered: boolean;
}

async function readOn(state: State): Promise<WorkerLog> {
  const { worker, end, reading } = state;
  const { clock } = reading;
  let empty = 0;
  let lost: ReadbackError | null = null;
  for (;;) {
    const [startedMs, linesBefore] = [clock.now(), state.lines];
    const failure = await readOnce(state);
    if (reading.signal.aborted) throw interruption(reading.signal, worker);
    if (end?.signal.aborted) return snapshotResult(state, lost);
    if (failure === null && end !== null) return { worker, lines: state.lines, ended: "closed", error: null };
    if (failure?.code === "not_found") return { worker, lines: state.lines, ended: "gone", error: failure };
    if (failure !== null && !failure.retryable)
      return { worker, lines: state.lines, ended: "failed", error: failure };
    const brought = state.lines > linesBefore;
    const lasted = clock.now() - startedMs >= LASTING_MS;
    empty = brought || lasted ? 0 : empty + 1;
    lost = failure ?? lost;
    if (empty >= MOST_EMPTY)
      return { worker, lines: state.lines, ended: "failed", error: givesUp(worker, lost) };
    if (brought || !lasted) reading.onNote(reconnectText(worker, failure));
    await clock.sleep(delayMs(empty, failure), state.signal).catch(() => {});
    if (reading.signal.aborted) throw interruption(reading.signal, worker);
    if (end?.signal.aborted) return snapshotResult(state, lost);
  }
}

/** One connection, to its end: null where the service closed it in order. */
async function readOnce(state: State): Promise<ReadbackError | null> {
  const { worker, reading, resume, end, signal } = state;
  const { endpoint, client } = reading;
  try {
    const stream = await openWorkerLogs(client, { endpoint, worker }, resume.next(reading.query), signal);
    state.answered = true;
    resume.connected();
    try {
      await readBody(stream, sinkOf(state), { worker, goesOn: end === null });
    } finally {
      stream.close();
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof ReadbackError) return thrown;
    throw thrown;
  }
}

function sinkOf(state: State): Parameters<typeof readBody>[1] {
  const { resume, end, reading } = state;
  let fresh: LogLine[] = [];
  let heard = false;
  return {
    onId: (id) => resume.sawId(id),
    onLine(line, id) {
      heard = true;
      if (resume.isNew(line, id)) fresh.push(line);
    },
    onPiece() {
      if (heard) end?.heard();
      heard = false;
      if (fresh.length === 0 || state.signal.aborted) return;
      state.lines += fresh.length;
      const lines = fresh;
      fresh = [];
      reading.onLines(lines);
    },
  };
}

function snapshotResult(
  { worker, lines, answered, end, reading }: State,
  lost: ReadbackError | null,
): WorkerLog {
  if (lines > 0) {
    if (lost !== null && end?.why === "max_wait")
      reading.onNote(`the log of worker ${worker} was cut short: ${lost.message}`);
    return { worker, lines, ended: end?.why ?? "max_wait", error: null };
  }
  if (lost !== null) return { worker, lines, ended: "failed", error: lost };
  if (answered) return { worker, lines, ended: "max_wait", error: null };
  const seconds = (reading.maxWaitMs ?? 0) / 1000;
  const error = new ReadbackError(
    "call_timeout",
    `Cannot read the log of worker "${worker}": no answer within ${seconds} s; a worker that has nothing to say looks the same, since the service answers with the first line`,
    {
      retryable: true,
      followUp: `readback serverless logs ${reading.endpoint} --worker ${worker} --follow`,
      details: { endpoint: reading.endpoint, worker },
    },
  );
  return { worker, lines, ended: "failed", error };
}

function delayMs(empty: number, failure: ReadbackError | null): number {
  const asked = failure?.details["retryAfterSeconds"];
  const backoffMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, empty - 1));
  return typeof asked === "number" ? Math.max(asked * 1000, backoffMs) : backoffMs;
}

function reconnectText(worker: string, failure: ReadbackError | null): string {
  const why = failure === null ? "the service ended the stream" : failure.message;
  return `worker ${worker}: ${why}; going on where it ended`;
}

function givesUp(worker: string, last: ReadbackError | null): ReadbackError {
  const why = last === null ? "the service ended each stream at once" : last.message;
  return new ReadbackError(
    last?.code ?? "network_error",
    `Gave up on the log of worker "${worker}" after ${MOST_EMPTY} connections in a row that brought nothing: ${why}`,
    { retryable: true, status: last?.status ?? null, ...(last === null ? {} : { cause: last }) },
  );
}

function interruption(signal: AbortSignal, worker: string): unknown {
  if (signal.reason instanceof ReadbackError) return signal.reason;
  return new ReadbackError("interrupted", `Interrupted: read the log of worker "${worker}"`);
}
