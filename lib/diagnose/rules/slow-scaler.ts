import { fix, updateWords } from "../command.ts";
import { countText, waitText } from "../count-text.ts";
import { fields, queueEvidence, workerCounts } from "../evidence.ts";
import { type Facts, placed, starting } from "../facts.ts";
import { advice, type Outcome, type Recommendation, ruledOut } from "../finding.ts";
import { change } from "../trend.ts";
import { limitHit } from "./_limit.ts";
import { wantedBy } from "./account-quota.ts";

/** A delay above this keeps jobs of a cold endpoint waiting by itself; the console's default is 4 s (runpod-api.md 4.2). */
const LONG_DELAY_SECONDS = 10;
/** A queue that is gone within this many samples' time needs no more workers. */
const SOON_SAMPLES = 6;

/** The scaler wants no more workers than there are, as it is set, though jobs wait and more would be allowed. */
export function slowScaler(facts: Facts): Outcome {
  const { waiting, isLoadBalancer, counts, trend } = facts;
  if (waiting === 0 || isLoadBalancer || limitHit(facts) !== null) return null;
  if (starting(facts) > 0) return ruledOut("slow_scaler", `${countText(starting(facts), "worker")} starting`);
  if (counts.throttled > 0 || counts.unhealthy > 0 || counts.idle > 0 || trend === "unknown") return null;
  const wanted = wantedBy(facts);
  if (wanted !== null && wanted > placed(counts)) return null;
  if (!isWanting(facts)) return null;
  const drains = trend === "draining" && isSoonGone(facts);
  return {
    finding: {
      cause: "slow_scaler",
      severity: drains ? "info" : "warning",
      summary: summaryOf(facts, drains),
      evidence: [
        ...fields(facts, "endpoint", "scaling", "workers.max", "workers.min"),
        ...queueEvidence(facts),
        ...workerCounts(facts),
      ],
      recommendations: drains ? [] : adviceFor(facts),
    },
  };
}

/** All workers are busy; or there is none, and the delay that the scaler waits for first is long. */
function isWanting({ counts, inProgress, endpoint, stock }: Facts): boolean {
  const { scaling, workers } = endpoint;
  if (counts.total > 0) return inProgress >= counts.running && counts.running < workers.max;
  return scaling.type === "QUEUE_DELAY" && scaling.queueDelay > LONG_DELAY_SECONDS && stock?.level !== "NONE";
}

function isSoonGone({ health, earlier, waiting }: Facts): boolean {
  if (health === null || earlier === null) return false;
  const left = Math.max(change(earlier, health, "completed"), -change(earlier, health, "inQueue"));
  return waiting <= left * SOON_SAMPLES;
}

function summaryOf(facts: Facts, drains: boolean): string {
  const { counts, waiting, endpoint } = facts;
  const { scaling, workers } = endpoint;
  const set =
    scaling.type === "QUEUE_DELAY"
      ? `adds one only when a job has waited ${scaling.queueDelay} s`
      : `wants one worker for ${countText(scaling.requestCount, "request")}`;
  const state =
    counts.total === 0 ? "no worker runs" : `${counts.running} of ${workers.max} workers run, all busy`;
  return drains
    ? `${waitText(waiting)} and ${state}: the scaler ${set}, and the queue drains meanwhile`
    : `${waitText(waiting)} while ${state}: the scaler ${set}`;
}

function adviceFor({ endpoint }: Facts): readonly Recommendation[] {
  const { scaling, id } = endpoint;
  const byRequests = fix(
    "Let the scaler want a worker for each job; more workers then run at once, and each bills while it is up",
    updateWords(id, "--scale-by", "requests", "--scale-threshold", "1"),
  );
  if (scaling.type === "REQUEST_COUNT")
    return scaling.requestCount > 1
      ? [byRequests]
      : [advice("Jobs marked lowPriority start no worker: submit without it")];
  if (scaling.queueDelay <= DEFAULT_DELAY_SECONDS) return [byRequests];
  const sooner = updateWords(id, "--scale-by", "delay", "--scale-threshold", String(DEFAULT_DELAY_SECONDS));
  return [fix("Let the scaler add workers sooner; each bills while it is up", sooner), byRequests];
}

const DEFAULT_DELAY_SECONDS = 4;
