import { createConsumeClient } from "../api/client.ts";
import { readStream } from "../api/invoke.ts";
import { isTerminal, readStreamReply } from "../api/job-text.ts";
import { withPayload } from "../api/payload-error.ts";
import { ReadbackError } from "../errors.ts";
import { durationText } from "../wait/duration-text.ts";
import type { Engine, StreamOptions, StreamResult } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Job } from "./job.ts";

/** How long the service is asked to hold an empty stream, and how long between two reads at least, in milliseconds. */
const HOLD_MS = 10_000;
const SPACING_MS = 500;

/** The part of an engine that takes a stream's chunks: only an apply does, since the service hands each out once. */
export function streamSteps(parts: EngineParts): Pick<Engine, "stream"> {
  return {
    stream: (job, options) =>
      parts.session.step("stream", "look", () =>
        parts.mode.onlyInApply({ step: "stream", text: "the chunks of the job" }, () =>
          drain(job, options, parts),
        ),
      ),
  };
}

async function drain(job: Job, options: StreamOptions, parts: EngineParts): Promise<StreamResult> {
  const { clock, signal, client } = parts;
  const consume = createConsumeClient(client.target, { ...parts.clientOptions, signal });
  const endMs = clock.now() + (options.budgetMs ?? 300_000);
  let chunks = 0;
  for (;;) {
    const startedMs = clock.now();
    const left = Math.max(1000, endMs - startedMs);
    const waitMs = Math.min(HOLD_MS, left);
    const reply = await readStream(consume, job.endpoint, job.id, {
      waitMs,
      timeoutMs: waitMs + client.target.timeoutMs,
    });
    const found = readStreamReply(reply.text);
    if (found === null)
      throw withPayload(
        "api_error",
        `The stream of job ${job.id} answered with neither chunks nor a status`,
        {
          details: { jobId: job.id, endpoint: job.endpoint },
          payload: reply.text,
        },
      );
    for (const entry of found.entries) options.onChunk(entry);
    chunks += found.entries.length;
    // The last chunk may ride on the reply that says COMPLETED, so it was taken before this.
    if (found.status !== null && isTerminal(found.status)) return { chunks, status: found.status };
    if (clock.now() >= endMs) throw timedOut(job, options);
    const pauseMs = Math.max(0, startedMs + SPACING_MS - clock.now());
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
  }
}

function timedOut(job: Job, options: StreamOptions): ReadbackError {
  const follow = `readback serverless stream ${job.endpoint} ${job.id}`;
  return new ReadbackError(
    "wait_timeout",
    `gave up on the stream of job ${job.id} after ${durationText(options.budgetMs ?? 300_000)}; the job goes on`,
    { followUp: follow, details: { jobId: job.id, endpoint: job.endpoint } },
  );
}
