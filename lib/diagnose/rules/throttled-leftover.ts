import { fields, workerCounts } from "../evidence.ts";
import { type Facts, placed } from "../facts.ts";
import { advice, type Outcome } from "../finding.ts";

/** A throttled record can linger on an idle endpoint that scales to zero (runpod-api.md 3.9): it waits for nothing. */
export function throttledLeftover(facts: Facts): Outcome {
  const { waiting, inProgress, counts, endpoint } = facts;
  if (counts.throttled === 0 || waiting > 0 || inProgress > 0) return null;
  if (placed(counts) < endpoint.workers.min) return null;
  return {
    finding: {
      cause: "throttled_leftover",
      severity: "info",
      summary: "A throttled worker is listed while nothing waits: a record that is left over, and no problem",
      evidence: [
        ...fields(facts, "health", "jobs.inQueue", "jobs.inProgress", "workers.throttled"),
        ...workerCounts(facts),
        ...fields(facts, "endpoint", "workers.min"),
      ],
      recommendations: [advice("Nothing to do")],
    },
  };
}
