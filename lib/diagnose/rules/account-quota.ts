import { counted, fields, queueEvidence, workerCounts } from "../evidence.ts";
import { type Facts, placed, starting } from "../facts.ts";
import { advice, type Evidence, type Outcome, ruledOut } from "../finding.ts";
import { limitHit } from "./_limit.ts";

/** Workers an account may have, by its balance (runpod-api.md 4.5); which step it is on, no read tells. */
const STEPS: readonly number[] = [5, 10, 20, 30, 40, 50, 60];

/** What other endpoints take, by the list of all of them. */
export interface Others {
  readonly sumMax: number;
  readonly sumMin: number;
  readonly max: readonly number[];
  readonly withWorkers: readonly string[];
}

/** The account has no more workers to give: its endpoints together stand on a step of the quota. */
export function accountQuota(facts: Facts): Outcome {
  const { waiting, isLoadBalancer } = facts;
  if (waiting === 0 || isLoadBalancer) return null;
  const step = quotaStep(facts) ?? usedStep(facts);
  if (step === null) return notIt(facts);
  const names = othersOf(facts)?.withWorkers ?? [];
  return {
    finding: {
      cause: "account_quota",
      severity: "warning",
      summary: `All workers that run are busy, and the account's workers stand at ${step}, a step of its worker quota: more may be refused`,
      evidence: evidenceOf(facts, step),
      recommendations: [
        advice(
          names.length === 0
            ? "Raise the account's balance to the next step of the quota, or ask support for more workers"
            : `Lower workers.max, or workers.min, of an endpoint that needs less (${names.join(", ")}), or raise the account's balance to the next step of the quota`,
        ),
      ],
    },
  };
}

/**
 * The step that the sum of workers.max stands on exactly, where this endpoint's own limit is reached and others take part
 * of it; null otherwise: a higher limit is then not refused for that.
 */
export function quotaStep(facts: Facts): number | null {
  const others = othersOf(facts);
  if (limitHit(facts) !== "reached" || others === null || others.sumMax === 0) return null;
  const sum = others.sumMax + facts.endpoint.workers.max;
  return STEPS.includes(sum) ? sum : null;
}

/** The step that running workers stand on, where the scaler asks for more than there are and nothing else holds it back. */
function usedStep(facts: Facts): number | null {
  const { counts, stock, inProgress } = facts;
  const others = othersOf(facts);
  const wanted = wantedBy(facts);
  const present = placed(counts);
  const isHeld = counts.throttled > 0 || starting(facts) > 0 || counts.idle > 0 || counts.unhealthy > 0;
  if (others === null || wanted === null || wanted <= present || isHeld) return null;
  if (inProgress < present || stock?.level === "NONE" || facts.trend === "unknown") return null;
  const used = present + others.sumMin;
  return STEPS.includes(used) ? used : null;
}

/** How many workers the scaler wants; null where its rule gives no number (runpod-api.md 4.2). */
export function wantedBy({ endpoint, waiting, inProgress }: Facts): number | null {
  const { scaling, workers } = endpoint;
  if (scaling.type !== "REQUEST_COUNT") return null;
  return Math.min(
    workers.max,
    Math.max(workers.min, Math.ceil((waiting + inProgress) / scaling.requestCount)),
  );
}

function othersOf({ reads, endpoint }: Facts): Others | null {
  if (!reads.endpoints?.ok) return null;
  const others = reads.endpoints.value.filter(({ id }) => id !== endpoint.id);
  return {
    sumMax: others.reduce((sum, { workers }) => sum + workers.max, 0),
    max: others.map(({ workers }) => workers.max),
    sumMin: others.reduce((sum, { workers }) => sum + workers.min, 0),
    withWorkers: others.filter(({ workers }) => workers.max > 0).map(({ name }) => name),
  };
}

function evidenceOf(facts: Facts, step: number): readonly Evidence[] {
  const others = othersOf(facts);
  const byMax = quotaStep(facts) !== null;
  return [
    counted("endpoints", byMax ? "sum of workers.max" : "running here and workers.min elsewhere", step),
    ...(others === null ? [] : [counted("endpoints", "sum of workers.max of the others", others.sumMax)]),
    ...fields(facts, "endpoint", "workers.max", "scaling"),
    ...queueEvidence(facts),
    ...workerCounts(facts),
  ];
}

function notIt(facts: Facts): Outcome {
  const others = othersOf(facts);
  if (others === null || limitHit(facts) === null) return null;
  return ruledOut(
    "account_quota",
    others.sumMax === 0
      ? "no other endpoint takes part of the account's worker quota"
      : `workers.max of the endpoints, ${[facts.endpoint.workers.max, ...others.max].join(" + ")}, add up to no step of the account's worker quota`,
  );
}
