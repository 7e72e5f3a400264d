import { countText } from "../count-text.ts";
import { counted, fields, queueEvidence, workerCounts } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Outcome, ruledOut } from "../finding.ts";

/** A release is under way: older and newer workers serve side by side for a while (runpod-api.md 2.7). */
export function rolloutInProgress(facts: Facts): Outcome {
  const { reads, waiting } = facts;
  const { workers, endpointVersion } = reads.workers.value;
  const stale = workers.filter(({ isStale }) => isStale);
  const rollout = reads.releases?.ok ? reads.releases.value.rollout : undefined;
  if (stale.length === 0)
    return waiting > 0
      ? ruledOut("rollout_in_progress", "every worker listed runs the newest version")
      : null;
  if (rollout?.inProgress === false)
    return ruledOut("rollout_in_progress", "releases.rollout.inProgress is false");
  return {
    finding: {
      cause: "rollout_in_progress",
      severity: "info",
      summary: `${stale.length} of ${countText(workers.length, "worker")} still on an older version; idle ones are replaced at once, busy ones once their job has ended`,
      evidence: [
        counted("workers", "isStale", stale.length),
        ...(typeof endpointVersion === "number"
          ? [counted("workers", "endpointVersion", endpointVersion)]
          : []),
        ...stale.map(({ id, version }) => counted("workers", `${id}.version`, version ?? "not stated")),
        ...fields(facts, "releases", "rollout.inProgress", "rollout.workersOnLatest", "rollout.workersTotal"),
        ...(waiting > 0 ? queueEvidence(facts) : []),
        ...workerCounts(facts),
      ],
      recommendations: [
        advice(
          "Wait: it ends by itself. To cut over at once, at the price of an outage, there is readback run bounce-workers",
        ),
      ],
    },
  };
}
