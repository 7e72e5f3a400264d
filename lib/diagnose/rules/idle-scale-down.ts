import { counted, fields } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { type Outcome, ruledOut } from "../finding.ts";
import { idleDays, lastUse } from "./_idle-days.ts";
import { isDormant, limitEvidence, limitHit, priceEvidence, raiseLimit } from "./_limit.ts";

/** What days without a request do to workers.max: it stays there until it is raised by hand (runpod-api.md 4.5). */
const STEPS: Readonly<Record<number, number>> = { 0: 7, 2: 3 };

/** The service lowered the limit after days without a request; claimed only where a read shows those days. */
export function idleScaleDown(facts: Facts): Outcome {
  const { max } = facts.endpoint.workers;
  const days = STEPS[max];
  const dormant = isDormant(facts);
  if ((limitHit(facts) === null && !dormant) || days === undefined) return null;
  const idle = idleDays(facts);
  if (idle === null || (dormant && idle < days)) return null;
  if (!isIdleScaleDown(facts))
    return ruledOut(
      "idle_scale_down",
      `${lastUseText(facts)}, and the service lowers workers.max to ${max} only after more days without a request`,
    );
  return {
    finding: {
      cause: "idle_scale_down",
      severity: dormant ? "warning" : "critical",
      summary: `workers.max is ${max} after ${idle} days without a request: the service lowers it so, and leaves it there`,
      evidence: [
        counted("billing", "daysWithoutUse", idle),
        ...windowOf(facts),
        ...fields(facts, "endpoint", "createdAt"),
        ...limitEvidence(facts),
        ...priceEvidence(facts),
      ],
      recommendations: [raiseLimit(facts)],
    },
  };
}

/** True where the bill shows that the service lowered the limit. */
export function isIdleScaleDown(facts: Facts): boolean {
  const days = STEPS[facts.endpoint.workers.max];
  const idle = idleDays(facts);
  return days !== undefined && idle !== null && idle >= days;
}

function lastUseText(facts: Facts): string {
  const last = lastUse(facts);
  return last === null
    ? "the endpoint, or what the bill covers, is younger than that"
    : `the bill shows a worker that ran in the day from ${last}`;
}

function windowOf({ reads }: Facts): ReturnType<typeof fields> {
  if (!reads.billing?.ok) return [];
  const { startTime, endTime } = reads.billing.value.metadata.query;
  return [
    counted("billing", "metadata.query.startTime", startTime),
    counted("billing", "metadata.query.endTime", endTime),
  ];
}
