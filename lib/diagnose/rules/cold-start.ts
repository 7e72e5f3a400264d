import { costOf } from "../../plan/cost.ts";
import { fix } from "../command.ts";
import { countText, waitText } from "../count-text.ts";
import { counted, fields, logLine, queueEvidence, workerCounts } from "../evidence.ts";
import { type Facts, starting } from "../facts.ts";
import { advice, type Evidence, type Outcome, type Recommendation, ruledOut } from "../finding.ts";
import { priceEvidence } from "./_limit.ts";

/** A job waits for a worker that starts; with no worker seconds after a submit, that is no shortage (runpod-api.md 4.3). */
export function coldStart(facts: Facts): Outcome {
  const { waiting, endpoint, reads } = facts;
  if (endpoint.workers.max === 0) return null;
  const asked = reads.symptom === "cold-start";
  const starts = isStarting(facts);
  if (!starts && !asked) return waiting > 0 ? notIt(facts) : null;
  const levers = leversOf(facts);
  if (!starts && endpoint.workers.min > 0)
    return ruledOut("cold_start", `workers.min is ${endpoint.workers.min}, so a worker is always up`);
  return {
    finding: {
      cause: "cold_start",
      severity: asked ? "warning" : "info",
      summary: summaryOf(facts, starts),
      evidence: [
        ...(waiting > 0 ? queueEvidence(facts) : []),
        ...workerCounts(facts),
        ...initializing(facts),
        ...fields(
          facts,
          "endpoint",
          "workers.min",
          "workers.max",
          "workers.idleTimeout",
          "flashboot",
          "scaling",
        ),
        ...priceEvidence(facts),
        ...facts.logs.flatMap(({ worker, last }) => (last === null ? [] : [logLine(worker, last)])),
      ],
      recommendations: [
        ...(starts && !asked
          ? [advice("Wait for the worker that starts; run this again if jobs wait for minutes")]
          : []),
        ...levers,
      ],
    },
  };
}

/** A worker starts; or none is there yet, nothing says that it cannot be had, and nothing runs. */
function isStarting(facts: Facts): boolean {
  const { waiting, counts, inProgress, stock, reads, isLoadBalancer, endpoint } = facts;
  if (starting(facts) > 0) return waiting > 0 || isLoadBalancer || placedNone(facts);
  if (waiting === 0 || counts.total > 0 || inProgress > 0 || stock?.level === "NONE") return false;
  // Without the catalog a shortage looks the same.
  return !endpoint.gpu || reads.catalog?.ok === true;
}

function placedNone({ counts, endpoint }: Facts): boolean {
  return counts.idle + counts.running === 0 && endpoint.workers.min > 0;
}

function summaryOf(facts: Facts, starts: boolean): string {
  const { waiting, counts } = facts;
  if (!starts) return "No worker is kept up between jobs, so a job after a pause waits for one to start";
  if (counts.total === 0 && starting(facts) === 0)
    return `${waitText(waiting)} and no worker is listed yet: the first one is on its way`;
  return waiting > 0
    ? `${waitText(waiting)} for ${countText(starting(facts), "worker")} starting`
    : `${countText(starting(facts), "worker")} starting`;
}

function initializing({ health }: Facts): readonly Evidence[] {
  const count = health?.workers.initializing;
  return count === undefined ? [] : [counted("health", "workers.initializing", count)];
}

/** What shortens or avoids it, the cheapest first. */
function leversOf({ endpoint, catalog }: Facts): readonly Recommendation[] {
  const { id, flashboot, workers } = endpoint;
  const tune = (...flags: readonly string[]): readonly string[] => ["run", "cold-start-tune", id, ...flags];
  const standing = { ...endpoint, workers: { ...workers, min: 1 } };
  const boot =
    flashboot === "OFF"
      ? [fix("Turn FlashBoot on: workers come back from a kept state", tune("--flashboot", "on"))]
      : [];
  const idle =
    workers.idleTimeout !== undefined && workers.idleTimeout < LONG_IDLE_SECONDS
      ? [
          fix(
            "Keep workers up longer between bursts; the time that they idle bills",
            tune("--idle-timeout", `${LONG_IDLE_SECONDS}s`),
          ),
        ]
      : [];
  const min =
    workers.min === 0
      ? [
          fix(
            "Keep one worker up always; it bills around the clock",
            tune("--workers-min", "1"),
            costOf(endpoint, standing, catalog),
          ),
        ]
      : [];
  return [
    ...boot,
    ...idle,
    ...min,
    advice(
      "Load the model from a network volume, Runpod's model repository, or the image, and not from afar at each start",
    ),
  ];
}

const LONG_IDLE_SECONDS = 60;

function notIt(facts: Facts): Outcome {
  const { counts, inProgress } = facts;
  return ruledOut(
    "cold_start",
    `workers.summary.initializing is ${counts.initializing}, idle ${counts.idle}, running ${counts.running}, and ${countText(inProgress, "job")} in progress`,
  );
}
