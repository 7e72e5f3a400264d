import { costOf } from "../../plan/cost.ts";
import { fix, updateWords } from "../command.ts";
import { counted, fields, queueEvidence, workerCounts } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import type { Evidence, Recommendation } from "../finding.ts";

/** What a new endpoint gets (runpod-api.md 2.6). */
const DEFAULT_MAX = 3;

/** How the limit holds jobs back: nothing may run, or all that may run is busy. */
export type LimitHit = "zero" | "reached" | null;

/** Tells whether workers.max is what jobs wait for. A worker that reads RUNNING while nothing is in progress is not busy. */
export function limitHit({ endpoint, isLoadBalancer, counts, waiting, inProgress }: Facts): LimitHit {
  const { max } = endpoint.workers;
  if (max === 0) return "zero";
  if (isLoadBalancer || waiting === 0) return null;
  return counts.running >= max && inProgress >= max ? "reached" : null;
}

/** Nothing waits and nothing runs, under the limit that the service sets after days without a request. */
export function isDormant({ endpoint, waiting, inProgress, counts }: Facts): boolean {
  return endpoint.workers.max === 2 && waiting === 0 && inProgress === 0 && counts.total === 0;
}

/** What shows it. */
export function limitEvidence(facts: Facts): readonly Evidence[] {
  return [
    ...fields(facts, "endpoint", "workers.max", "workers.min"),
    ...queueEvidence(facts),
    ...workerCounts(facts),
  ];
}

/** A higher limit, with what it may cost; twice the present one, or what a new endpoint gets. */
export function raiseLimit({ endpoint, catalog }: Facts): Recommendation {
  const max = endpoint.workers.max === 0 ? DEFAULT_MAX : endpoint.workers.max * 2;
  const after = { ...endpoint, workers: { ...endpoint.workers, max } };
  return fix(
    endpoint.workers.max === 0
      ? "Raise workers.max; the command sets what a new endpoint gets, which may be less than before"
      : "Raise workers.max, if jobs are not to wait; the account's worker quota may refuse it",
    updateWords(endpoint.id, "--workers-max", String(max)),
    costOf(endpoint, after, catalog),
  );
}

/** How the queue goes, in words. */
export function trendWords({ trend }: Facts): string {
  if (trend === "draining") return "the queue drains, as fast as these workers can";
  if (trend === "growing") return "the queue grows";
  return "no job ended between two samples";
}

/** The prices that a cost stands on. */
export function priceEvidence({ catalog, endpoint }: Facts): readonly Evidence[] {
  const pools = endpoint.gpu?.pools ?? [];
  const excluded = endpoint.gpu?.excludedTypes ?? [];
  return (catalog ?? [])
    .filter(({ id, pool }) => pool !== null && pools.includes(pool) && !excluded.includes(id))
    .flatMap(({ id, price }) =>
      price.serverless === undefined ? [] : [counted("gpuTypes", `${id}.price.serverless`, price.serverless)],
    );
}
