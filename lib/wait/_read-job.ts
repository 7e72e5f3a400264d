import type { LookClient, Reply } from "../api/client.ts";
import { describeBody } from "../api/describe-body.ts";
import { holdStatus, readStatus } from "../api/invoke.ts";
import { isTerminal, readJobState } from "../api/job-text.ts";
import { isJson } from "../api/json-text.ts";
import { withPayload } from "../api/payload-error.ts";
import type { Clock } from "../clock.ts";
import { isReadbackError, type ReadbackError } from "../errors.ts";
import type { ReadAt } from "./wait-for.ts";

/** What one read of a job gave. */
export interface JobReading {
  /** As it came. */
  readonly text: string;
  /** Null where the reply has an id alone. */
  readonly status: string | null;
  /** True when the service held the read back, as it was asked to. */
  readonly held: boolean;
}

export interface ReadJobParts {
  readonly client: LookClient;
  readonly clock: Clock;
  readonly endpoint: string;
  readonly job: string;
  /** False to poll from the start. */
  readonly hold: boolean;
  /** Told once, when holding is given up for good. */
  readonly onPolling: (reason: string) => void;
}

/** The longest hold, in milliseconds: far below what edges and runtimes cut (runpod-api.md 3.4). */
const MAX_HOLD_MS = 25_000;
/** The least hold that the service takes, in milliseconds (runpod-api.md 3.1). */
const MIN_HOLD_MS = 1_000;
/** How much longer than the hold its reply may take, in milliseconds. */
const SLACK_MS = 500;
const MAX_SLACK_MS = 5_000;

/** One read each; the caller repeats, paces itself and waits for the rate limit. */
const ONCE = { attempts: 1, maxRateWaitMs: 0 } as const;

/**
 * Gives the read of a wait for a job: it holds at `/status-sync` until that is refused, ignored or cut for the first time,
 * and reads `/status` from then on. A value of null says that nothing was learnt and holding was given up.
 */
export function createJobReader(
  parts: ReadJobParts,
): (at: ReadAt, last: JobReading | null) => Promise<JobReading | null> {
  const { client, clock, endpoint, job } = parts;
  let holding = parts.hold;
  let turnedAway = 0;

  function poll(reason: string): null {
    holding = false;
    parts.onPolling(reason);
    return null;
  }
  async function held(waitMs: number, at: ReadAt, last: JobReading | null): Promise<JobReading | null> {
    const startedMs = clock.now();
    const timeoutMs = Math.min(waitMs + MAX_SLACK_MS, at.timeoutMs);
    const options = { ...ONCE, signal: at.signal, waitMs, timeoutMs };
    const reply = await holdStatus(client, endpoint, job, options);
    turnedAway = 0;
    const reading = readingOf(reply);
    if (reading === null) return poll("it answers with something else than a job");
    const ended = reading.status !== null && isTerminal(reading.status);
    const atOnce = clock.now() - startedMs < Math.min(MIN_HOLD_MS, waitMs);
    const news = reading.status !== null && last !== null && last.status !== reading.status;
    if (!ended && atOnce && !news) {
      poll("it answers at once and does not hold");
      return reading;
    }
    return { ...reading, held: true };
  }
  function refused(thrown: unknown): null {
    if (!isReadbackError(thrown) || END.includes(thrown.code)) throw thrown;
    turnedAway = thrown.code === "rate_limited" ? turnedAway + 1 : 0;
    if (turnedAway === 1) throw thrown;
    poll(thrown.message);
    // What may pass is a failed read, and counts as such; what is refused is not.
    if (thrown.retryable) throw thrown;
    return null;
  }

  return async (at, last) => {
    const waitMs = Math.min(MAX_HOLD_MS, at.timeoutMs - SLACK_MS);
    if (holding && waitMs >= MIN_HOLD_MS) return await held(waitMs, at, last).catch(refused);
    const reply = await readStatus(client, endpoint, job, {
      ...ONCE,
      signal: at.signal,
      timeoutMs: at.timeoutMs,
    });
    return readingOf(reply) ?? throwNoJob(reply, job);
  };
}

/** @throws api_error, with the payload, for a success that says nothing about a job */
export function throwNoJob(reply: Reply, job: string): never {
  const isText = isJson(reply.text);
  const found = isText ? "has neither an id nor a status" : `is ${describeBody(reply)} instead of JSON`;
  const text = `Cannot read the status of job "${job}": the answer (HTTP ${reply.status}) ${found}`;
  throw withPayload("api_error", text, { status: reply.status, payload: isText ? reply.text : null });
}

/** The reading in a reply; null where it has neither id nor status. The id is not taken: the submit named it. */
export function readingOf(reply: Reply): JobReading | null {
  const state = readJobState(reply.text);
  if (state === null || (state.id === null && state.status === null)) return null;
  return { text: reply.text, status: state.status, held: false };
}

/**
 * These end a wait at once, wherever they come from. What the service refuses is none of them: the route of a hold is known
 * from one client alone, a key may be kept from it, and only `/status` speaks for the job.
 */
const END: readonly ReadbackError["code"][] = [
  "interrupted",
  "no_credentials",
  "usage_error",
  "undeclared_mutation",
];
