import { isTerminal } from "../api/job-text.ts";
import { ReadbackError } from "../errors.ts";
import { durationText } from "../wait/duration-text.ts";
import { jobFailed } from "../wait/job-errors.ts";
import { waitFor } from "../wait/wait-for.ts";
import { type JobWaitEvent, waitForJob } from "../wait/wait-for-job.ts";
import type { Engine, JobWaitOptions, WaitRequest } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Job, JobResult } from "./job.ts";
import { jobResultOf, readJob } from "./job-result.ts";
import { laterInfo } from "./later.ts";
import { withinPoll } from "./poll-bounds.ts";

type WaitSteps = Pick<Engine, "waitForJob" | "waitUntil">;

const DEFAULT_BUDGET_MS = 300_000;

/** The part of an engine that waits. */
export function waitSteps(parts: EngineParts): WaitSteps {
  const { session, mode } = parts;
  return {
    waitForJob: (job, options) =>
      session.step("waitFor", "look", () =>
        mode.wait({
          for: laterInfo(job) ? "the submitted job to end" : `job ${job.id} to end`,
          budgetMs: options.budgetMs ?? DEFAULT_BUDGET_MS,
          once: async () => (laterInfo(job) ? null : await endedJob(job, options, parts)),
          untilThere: () => untilEnded(job, options, parts),
        }),
      ),
    waitUntil: (request) =>
      session.step("waitFor", "look", () =>
        mode.wait({
          for: request.for,
          budgetMs: request.budgetMs,
          once: async () => {
            const value = await request.read();
            return request.until(value) ? value : null;
          },
          untilThere: () => untilTrue(request, parts),
        }),
      ),
  };
}

async function endedJob(
  job: Job,
  options: JobWaitOptions,
  { client }: EngineParts,
): Promise<JobResult | null> {
  const result = await readJob(client, job);
  if (!isTerminal(result.status)) return null;
  return accepted(result, options);
}

async function untilEnded(job: Job, options: JobWaitOptions, parts: EngineParts): Promise<JobResult> {
  const { client, clock, note } = parts;
  const signal = joined(parts.signal, options.signal);
  const known = parts.submitted.get(job.id);
  const waiting = waitForJob({
    client,
    clock,
    signal,
    endpoint: job.endpoint,
    job: job.id,
    budgetMs: options.budgetMs ?? DEFAULT_BUDGET_MS,
    ...(options.sinceMs === undefined ? {} : { sinceMs: options.sinceMs }),
    ...(known === undefined ? {} : { known }),
    ...(options.intervals === undefined ? {} : { intervals: options.intervals }),
    hold: options.hold ?? true,
    onEvent: (event) => tell(event, job, note),
  });
  const waited = await waiting.catch((error: unknown) => {
    throw ownReason(parts, options) ?? error;
  });
  if (waited.ended === "budget" && waited.lastFailure)
    note(`the last read failed: ${waited.lastFailure.message}`);
  if (waited.error && !(waited.ended === "terminal" && options.allowFailure)) throw waited.error;
  return jobResultOf(job, waited.text ?? "{}");
}

/** A job that ended before the wait is judged like one that ends during it. */
function accepted(result: JobResult, options: JobWaitOptions): JobResult {
  if (options.allowFailure) return result;
  const error = jobFailed({ endpoint: result.endpoint, job: result.id }, result);
  if (error) throw error;
  return result;
}

async function untilTrue<T extends object>(request: WaitRequest<T>, parts: EngineParts): Promise<T> {
  const { clock, client } = parts;
  const { budgetMs, read, until } = request;
  const waited = await waitFor<T>({
    clock,
    signal: joined(parts.signal, request.signal),
    budgetMs,
    ...(request.intervals === undefined ? {} : { intervals: request.intervals }),
    callTimeoutMs: client.target.timeoutMs,
    read: (at) => withinPoll(at, read),
    until,
  });
  if (waited.ended === "satisfied" && waited.value !== undefined) return waited.value;
  const last = waited.lastFailure ? `; the last read failed: ${waited.lastFailure.message}` : "";
  throw new ReadbackError(
    "wait_timeout",
    `gave up waiting for ${request.for} after ${durationText(budgetMs)}${last}`,
  );
}

function joined(run: AbortSignal, own: AbortSignal | undefined): AbortSignal {
  return own === undefined ? run : AbortSignal.any([run, own]);
}

/** What a recipe aborted its own wait with: it is no interrupt of the run, and the recipe may catch it and go on. */
function ownReason(parts: EngineParts, { signal }: JobWaitOptions): unknown {
  return signal?.aborted && !parts.signal.aborted ? signal.reason : null;
}

function tell(event: JobWaitEvent, job: Job, note: (text: string) => void): void {
  if (event.kind === "status") note(`job ${job.id} ${event.status}`);
  if (event.kind === "still_waiting")
    note(
      `still waiting for job ${job.id} (${event.status ?? "no status yet"}) after ${durationText(event.waitedMs)}`,
    );
  if (event.kind === "failed_read" && event.inARow === 1)
    note(`a read failed, trying again: ${event.error.message}`);
}
