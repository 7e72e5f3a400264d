import type { Endpoint } from "../lib/api/endpoint.ts";
import type { Envelope } from "../lib/api/envelope.ts";
import { arg } from "../lib/arg.ts";
import type { Ops } from "../lib/ops.ts";
import { defineRecipe, type Recipe } from "../lib/recipe.ts";
import { engineOf } from "../lib/run/engine.ts";
import { readEndpoint } from "../lib/steps/read-endpoint.ts";
import { waitFor } from "../lib/steps/wait-for.ts";
import { durationText } from "../lib/wait/duration-text.ts";

export interface RunJobOptions {
  readonly envelope: Envelope;
  /** 0 does not wait. */
  readonly waitMs: number;
  /** When the command began, by its clock. */
  readonly sinceMs: number;
  /** False polls `/status` only. */
  readonly hold: boolean;
}

/** The recipe that `serverless run` is: one submit, and a wait that proves it. */
export function runJobRecipe({ envelope, waitMs, sinceMs, hold }: RunJobOptions): Recipe {
  return defineRecipe({
    name: "serverless-run",
    summary: "Submit one job and wait for it",
    args: { endpoint: arg.endpoint() },
    mutates: ["run"],
    async run(ops: Ops<"run">, { endpoint }) {
      const note = longerThanAllowed(await readEndpoint(ops, endpoint), envelope, waitMs);
      if (note !== null) ops.note(note);
      const job = await engineOf(ops).submit({ endpoint, envelope, proof: "wait" });
      if (waitMs === 0) return job;
      return await waitFor(ops, job, { budgetMs: waitMs, sinceMs, hold });
    },
  });
}

/** A wait beyond the job's own limit cannot end later than that: one of the two is not what was meant. */
function longerThanAllowed(endpoint: Endpoint, envelope: Envelope, waitMs: number): string | null {
  const limitMs = envelope.executionTimeoutMs ?? endpoint.timeout;
  // What an endpoint's timeout of 0 means is not known.
  if (!(limitMs > 0) || waitMs <= limitMs) return null;
  const whose = envelope.executionTimeoutMs === null ? `${endpoint.name}'s` : "the job's own";
  return `--wait ${durationText(waitMs)} is longer than the job may run: ${whose} execution timeout is ${durationText(limitMs)} (--execution-timeout sets it for one job)`;
}
