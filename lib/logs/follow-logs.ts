import type { LogQuery } from "../api/logs.ts";
import { type ErrorCode, ReadbackError } from "../errors.ts";
import { MOST_LINES } from "./log-options.ts";
import { type LogsRequest, MOST_AT_ONCE, workersUp } from "./read-logs.ts";
import { readWorker, type WorkerLog, type WorkerReading } from "./read-worker.ts";
import { createResume, type Resume } from "./resume.ts";

/** How often the list of workers is read again, in milliseconds. */
const LIST_EVERY_MS = 10_000;
/** Lists in a row without a worker, until it counts as gone; the list may lag. */
const ABSENT_LISTS = 2;
/** Failures that every other worker and the next try would meet too. */
const FATAL: readonly ErrorCode[] = ["unauthorized", "forbidden", "not_found", "no_credentials", "api_error"];
/** Tries for a worker that is listed and has no log yet. */
const MOST_TRIES = 3;

/**
 * Follows logs until interrupted, or until the named workers are gone. Without names it follows every worker that is up,
 * at most 32 at once, and picks up those that come later.
 *
 * @throws interrupted; not_found - a named worker never had a log; what a worker's log failed with, when there is no
 * other to follow
 */
export async function followLogs(request: LogsRequest): Promise<readonly WorkerLog[]> {
  return request.workers.length > 0 ? await followNamed(request) : await followAll(request);
}

async function followNamed(request: LogsRequest): Promise<readonly WorkerLog[]> {
  if (request.workers.length > MOST_AT_ONCE)
    throw new ReadbackError("usage_error", `At most ${MOST_AT_ONCE} workers can be followed at once`);
  const reading: WorkerReading = { ...request, maxWaitMs: null };
  return await Promise.all(
    request.workers.map(async (worker) => {
      const log = await readWorker(worker, reading);
      if (log.ended === "gone" && log.lines > 0) request.onNote(goneText(worker));
      return log;
    }),
  );
}

async function followAll(request: LogsRequest): Promise<never> {
  const { signal, onNote, clock } = request;
  const fleet = createFleet(request);
  try {
    fleet.take(await workersUp(request));
    for (;;) {
      await clock.sleep(LIST_EVERY_MS, fleet.signal);
      await workersUp({ ...request, signal: fleet.signal }).then(fleet.take, (error: ReadbackError) => {
        if (fleet.signal.aborted || FATAL.includes(error.code)) throw error;
        onNote(`${error.message}; the workers known so far are followed`);
      });
    }
  } catch (error) {
    fleet.stop();
    if (signal.aborted) throw signal.reason instanceof ReadbackError ? signal.reason : interrupted();
    throw fleet.failure ?? error;
  }
}

/** The workers that are followed, and those that were. */
interface Fleet {
  /** Aborted when all is over. */
  readonly signal: AbortSignal;
  readonly failure: unknown;
  /** Takes note of the workers that are listed now. */
  take(ids: readonly string[]): void;
  stop(): void;
}

interface Followed {
  readonly resume: Resume;
  readonly stop: AbortController;
  /** `missing`: listed, and no log of it was found yet. */
  state: "open" | "missing" | "over";
  lines: number;
  tries: number;
  /** Lists in a row that it was not in. */
  absent: number;
}

function createFleet(request: LogsRequest): Fleet {
  const { onNote } = request;
  const followed = new Map<string, Followed>();
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, over.signal]);
  let failure: unknown = null;
  let leftOut = 0;
  let lists = 0;

  const isOpen = ({ state }: Followed): boolean => state === "open";
  const openCount = (): number => [...followed.values()].filter(isOpen).length;

  function take(ids: readonly string[]): void {
    if (lists === 0 && ids.length === 0) onNote("no worker is up; waiting for one");
    for (const [worker, at] of followed) if (at.state !== "over") notice(worker, at, ids.includes(worker));
    const eligible = ids.filter((worker) => (followed.get(worker)?.state ?? "missing") === "missing");
    const room = Math.max(0, MOST_AT_ONCE - openCount());
    for (const worker of eligible.slice(0, room)) open(worker);
    const out = eligible.length - Math.min(room, eligible.length);
    if (out > leftOut) onNote(`${out} more workers are not followed: at most ${MOST_AT_ONCE} at once`);
    leftOut = out;
    lists += 1;
  }

  function notice(worker: string, at: Followed, isListed: boolean): void {
    at.absent = isListed ? 0 : at.absent + 1;
    const isGone = at.state === "missing" ? at.absent > 0 : at.absent >= ABSENT_LISTS;
    if (!isGone) return;
    at.state = "over";
    at.stop.abort();
    onNote(goneText(worker));
  }

  function open(worker: string): void {
    const known = followed.get(worker);
    if (known === undefined && lists > 0) onNote(`worker ${worker} is new`);
    const at: Followed = known ?? {
      ...{ resume: createResume(), stop: new AbortController() },
      ...{ state: "open", lines: 0, tries: 0, absent: 0 },
    };
    followed.set(worker, at);
    at.state = "open";
    at.tries += 1;
    const own = AbortSignal.any([signal, at.stop.signal]);
    const query = lists === 0 ? request.query : sinceItsStart(request.query);
    readWorker(worker, { ...request, query, signal: own, maxWaitMs: null, resume: at.resume }).then(
      (log) => ended(worker, at, log),
      (error: unknown) => (own.aborted ? undefined : fail(error)),
    );
  }

  function ended(worker: string, at: Followed, { ended, lines, error }: WorkerLog): void {
    at.lines += lines;
    const mayCome = ended === "gone" && at.lines === 0 && at.tries < MOST_TRIES;
    at.state = mayCome ? "missing" : "over"; // a worker that is new may have no log yet
    if (mayCome || over.signal.aborted) return;
    if (ended === "gone") onNote(goneText(worker));
    else if (error !== null && openCount() > 0 && !FATAL.includes(error.code)) onNote(error.message);
    else fail(error);
  }

  function fail(error: unknown): void {
    failure ??= error;
    over.abort();
  }

  return {
    signal,
    get failure() {
      return failure;
    },
    take,
    stop: () => over.abort(),
  };
}

/** All of a worker that came while others were followed is news, whatever was wanted of the past. */
function sinceItsStart(query: LogQuery): LogQuery {
  return query.since === undefined ? { ...query, tail: MOST_LINES } : query;
}

function goneText(worker: string): string {
  return `worker ${worker} is gone`;
}

function interrupted(): ReadbackError {
  return new ReadbackError("interrupted", "Interrupted: follow the logs");
}
