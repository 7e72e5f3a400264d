import { createLookClient } from "../../lib/api/client.ts";
import { isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import {
  type JobWait,
  type JobWaitEvent,
  type WaitForJobParts,
  waitForJob,
} from "../../lib/wait/wait-for-job.ts";
import { type TestClock, testClock } from "../api/_clock.ts";
import { targetAt } from "../api/_target.ts";

/** One request that reached the service, by its clock. */
export interface Seen {
  readonly path: string;
  readonly atMs: number;
  readonly waitMs: number | null;
}

/** What the service answers; a hold moves the clock by itself. */
export type Service = (request: Seen, clock: TestClock, count: number) => Response | Promise<Response>;

export interface Waiting {
  readonly ended: JobWait | null;
  readonly error: ReadbackError | null;
  readonly requests: readonly Seen[];
  readonly events: readonly JobWaitEvent[];
  readonly clock: TestClock;
  /** From the start of the wait to its end. */
  readonly tookMs: number;
}

/** Waits for job `j1` of `ep1` against a service in this process, on a clock that waits move at once. */
export async function waiting(
  service: Service,
  given: Partial<Omit<WaitForJobParts, "client" | "clock">> & { readonly latencyMs?: number } = {},
): Promise<Waiting> {
  const { latencyMs = 0, ...parts } = given;
  const clock = testClock();
  const startMs = clock.now();
  const requests: Seen[] = [];
  const events: JobWaitEvent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const wait = url.searchParams.get("wait");
    const seen = {
      path: url.pathname.replace("/invoke/v2/ep1", ""),
      atMs: clock.now() - startMs,
      waitMs: wait === null ? null : Number(wait),
    };
    requests.push(seen);
    clock.advance(latencyMs);
    return await service(seen, clock, requests.length);
  };
  const client = createLookClient(targetAt("http://readback.sandbox"), { clock, fetch, random: () => 1 });
  const made: WaitForJobParts = {
    client,
    clock,
    endpoint: "ep1",
    job: "j1",
    budgetMs: 300_000,
    signal: new AbortController().signal,
    callTimeoutMs: 30_000,
    onEvent: (event) => events.push(event),
    ...parts,
  };
  const about = () => ({ requests, events, clock, tookMs: clock.now() - startMs });
  try {
    return { ended: await waitForJob(made), error: null, ...about() };
  } catch (error) {
    if (!isReadbackError(error)) throw error;
    return { ended: null, error, ...about() };
  }
}

export function job(status: string, rest: Record<string, unknown> = {}): Response {
  return Response.json({ id: "j1", status, ...rest });
}

/** A service that holds `/status-sync` until the job ends, or is asked to hold no longer. */
export function holdingService(endsMs: number, options: { readonly startMs?: number } = {}): Service {
  return ({ path, waitMs, atMs }, clock) => {
    const held = path.startsWith("/status-sync/") ? Math.min(waitMs ?? 0, Math.max(0, endsMs - atMs)) : 0;
    clock.advance(held);
    return job(
      atMs + held >= endsMs ? "COMPLETED" : atMs < (options.startMs ?? 0) ? "IN_QUEUE" : "IN_PROGRESS",
    );
  };
}

/** A service without `/status-sync`. */
export function pollingService(endsMs: number): Service {
  return ({ path, atMs }) => {
    if (path.startsWith("/status-sync/")) return Response.json({ error: "no route" }, { status: 404 });
    return job(atMs >= endsMs ? "COMPLETED" : "IN_PROGRESS");
  };
}

/** Answers in turn, the last one for good. */
export function inTurn(...answers: readonly (() => Response | Promise<Response>)[]): Service {
  return (_request, _clock, count) => {
    const answer = answers[Math.min(count, answers.length) - 1];
    if (answer === undefined) throw new Error("no answers");
    return answer();
  };
}

/** The most requests in any window of this length. */
export function mostIn(windowMs: number, requests: readonly Seen[]): number {
  const counts = requests.map(
    ({ atMs }) => requests.filter((other) => other.atMs >= atMs && other.atMs <= atMs + windowMs).length,
  );
  return Math.max(0, ...counts);
}
