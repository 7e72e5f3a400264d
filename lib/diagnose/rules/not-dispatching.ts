import { fix } from "../command.ts";
import { countText, waitText } from "../count-text.ts";
import { counted, logLine, queueEvidence, workerCounts } from "../evidence.ts";
import { type Facts, starting } from "../facts.ts";
import { advice, type Outcome, ruledOut } from "../finding.ts";
import type { LogDigest } from "../log-digest.ts";
import { sdkJobFunnel } from "./sdk-job-funnel.ts";

/**
 * Jobs wait beside workers that are ready, and are not handed out. A container that ends before the handler runs looks the
 * same, so it is claimed only where a log shows a worker that came up (runpod-api.md 4.6).
 */
export function notDispatching(facts: Facts): Outcome {
  const { waiting, trend, health, isLoadBalancer } = facts;
  if (waiting === 0 || isLoadBalancer) return null;
  const free = freeWorkers(facts);
  if (free.length === 0 || isFunnelled(facts)) return null;
  const isStill = trend === "stuck" || trend === "growing" || trend === "working";
  if (!isStill || starting(facts) > 0) return trend === "unknown" ? null : moves(facts);
  const up = facts.logs.filter((digest) => free.includes(digest.worker) && isUp(digest));
  if (up.length === 0) return null;
  return {
    finding: {
      cause: "not_dispatching",
      severity: "critical",
      summary: `${waitText(waiting)} beside ${countText(free.length, "worker")} up and free, and between two samples none was handed out`,
      evidence: [
        ...queueEvidence(facts),
        counted("workers", "free", free.length),
        ...(health?.workers.ready === undefined
          ? []
          : [counted("health", "workers.ready", health.workers.ready)]),
        ...workerCounts(facts),
        ...up.flatMap(({ worker, last }) => (last === null ? [] : [logLine(worker, last)])),
      ],
      recommendations: [
        fix("Replace the workers, so that they ask for jobs anew; an outage meanwhile", [
          "run",
          "bounce-workers",
          facts.endpoint.id,
        ]),
        advice("Where it comes back: look whether the handler is started at all (runpod.serverless.start)"),
      ],
    },
  };
}

/** The fault of the worker SDK explains the same idle workers, and new ones would have it too. */
function isFunnelled(facts: Facts): boolean {
  const outcome = sdkJobFunnel(facts);
  return outcome !== null && "finding" in outcome;
}

/** Idle workers, and those that always run: the latter read RUNNING also without a job (runpod-api.md 4.1). */
function freeWorkers({ reads, endpoint, inProgress }: Facts): readonly string[] {
  const { workers } = reads.workers.value;
  const idle = workers.filter(({ status }) => status === "IDLE");
  const running = workers.filter(({ status }) => status === "RUNNING");
  const standing = running.slice(0, Math.max(0, Math.min(running.length, endpoint.workers.min) - inProgress));
  return [...idle, ...standing].map(({ id }) => id);
}

function isUp({ ready, starts, decisive }: LogDigest): boolean {
  return ready && starts <= 1 && decisive === null;
}

function moves({ trend }: Facts): Outcome {
  return ruledOut(
    "not_dispatching",
    trend === "draining"
      ? "jobs were handed out between two samples"
      : "a worker starts, and takes jobs once it is up",
  );
}
