import { fix } from "../command.ts";
import { counted, logLine } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Evidence, type Outcome } from "../finding.ts";
import { handlerError } from "./_handler-error.ts";
import { contextOf, troubleOf } from "./_proof.ts";

/** How often a job may be started without an end. */
const MOST_STARTS = 2;

/** One job brings its worker down, or fails in the handler, each time it is taken (runpod-api.md 4.7). */
export function poisonJob(facts: Facts): Outcome {
  const killer = killerOf(facts);
  if (killer !== null) return finding(facts, killer.id, killer.evidence, true);
  const { job } = facts;
  if (job === null || handlerError(job) === null) return null;
  const lines = facts.logs.flatMap((digest) =>
    troubleOf(digest, facts).map(({ line }) => logLine(digest.worker, line)),
  );
  return finding(facts, job.id, lines.slice(0, 3), false);
}

function killerOf({ logs, job }: Facts): { id: string; evidence: readonly Evidence[] } | null {
  const starts = new Map<string, number>();
  for (const { unfinished } of logs)
    for (const [id, count] of unfinished) starts.set(id, (starts.get(id) ?? 0) + count);
  const worst = [...starts].filter(([id, count]) => count >= MOST_STARTS && (job === null || job.id === id));
  const [id, count] = worst.toSorted((a, b) => b[1] - a[1])[0] ?? [];
  if (id === undefined) return null;
  const lines = logs.flatMap(({ worker, unfinished, lastStart }) =>
    unfinished.has(id) && lastStart !== null ? [logLine(worker, lastStart)] : [],
  );
  return { id, evidence: [counted("logs", `${id}.startedWithoutEnd`, count), ...lines] };
}

function finding(facts: Facts, id: string, evidence: readonly Evidence[], kills: boolean): Outcome {
  const state = facts.job?.status.toUpperCase();
  const isOver =
    state === "FAILED" || state === "TIMED_OUT" || state === "CANCELLED" || state === "COMPLETED";
  return {
    finding: {
      cause: "poison_job",
      severity: kills ? "critical" : "warning",
      summary: kills
        ? `Job ${id} is started again and again and never ends: it brings its worker down`
        : `Job ${id} fails in the handler itself; workers and queue are not the reason`,
      evidence: [
        ...evidence,
        ...contextOf(facts),
        ...(facts.job === null ? [counted("logs", "requestId", id)] : []),
      ],
      recommendations: [
        ...(kills && !isOver && /^[\w-]+$/.test(id)
          ? [fix("Take this one job out of the way", ["serverless", "cancel", facts.endpoint.id, id])]
          : []),
        advice("Correct the job's input, or make the handler return an error for it instead of failing"),
      ],
    },
  };
}
