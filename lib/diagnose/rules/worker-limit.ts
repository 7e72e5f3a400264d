import { countText, waitText } from "../count-text.ts";
import type { Facts } from "../facts.ts";
import { advice, type Finding, type Outcome, type Recommendation, ruledOut } from "../finding.ts";
import { idleDays } from "./_idle-days.ts";
import { limitEvidence, limitHit, priceEvidence, raiseLimit, trendWords } from "./_limit.ts";
import { quotaStep } from "./account-quota.ts";
import { isIdleScaleDown } from "./idle-scale-down.ts";

/** Nothing may run, or all that may run is busy (runpod-api.md 4.6). */
export function workerLimit(facts: Facts): Outcome {
  const hit = limitHit(facts);
  if (hit === null) return within(facts);
  if (isIdleScaleDown(facts)) return null; // the same limit, and who set it
  return {
    finding: {
      cause: "worker_limit",
      severity: hit === "zero" ? "critical" : "warning",
      summary: summaryOf(facts, hit),
      evidence: [...limitEvidence(facts), ...priceEvidence(facts)],
      recommendations: adviceFor(facts),
    } satisfies Finding,
  };
}

function summaryOf(facts: Facts, hit: "zero" | "reached"): string {
  const { counts, waiting, endpoint } = facts;
  if (hit === "zero")
    return `workers.max is 0, so no worker may start${waiting > 0 ? `, and ${waitText(waiting)}` : ""}`;
  return `Every worker that workers.max allows is busy (${counts.running} of ${endpoint.workers.max}), and ${waitText(waiting)}: ${trendWords(facts)}`;
}

function adviceFor(facts: Facts): readonly Recommendation[] {
  const { max } = facts.endpoint.workers;
  // Where workers already wait for capacity, or the account has no more to give, a higher limit brings none.
  const isOfUse = facts.counts.throttled === 0 && quotaStep(facts) === null;
  return [
    ...(isOfUse ? [raiseLimit(facts)] : []),
    ...(max === 0 || max === 2 ? [whoLowered(facts)] : []),
    ...(max > 0
      ? [advice("Or let jobs take less time each: the queue is served in order, one job a worker")]
      : []),
  ];
}

/** The service lowers the limit too, after idle days or repeated failures (runpod-api.md 4.5). */
function whoLowered(facts: Facts): Recommendation {
  return advice(
    idleDays(facts) === null
      ? "Whether the service lowered workers.max after days without a request: read the endpoint's bill of the last days (step billing), which was not read or could not be"
      : "The bill does not show the days without a request after which the service lowers workers.max; it also does so after workers failed repeatedly, or somebody set it",
  );
}

function within({ waiting, counts, endpoint, inProgress, isLoadBalancer }: Facts): Outcome {
  if (waiting === 0 || isLoadBalancer) return null;
  return ruledOut(
    "worker_limit",
    `workers.max is ${endpoint.workers.max}, with ${counts.running} running and ${countText(inProgress, "job")} in progress`,
  );
}
