import { counted, logLine } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Evidence, type Outcome, type Recommendation, ruledOut } from "../finding.ts";
import type { LogDigest } from "../log-digest.ts";
import { contextOf, startsOf } from "./_proof.ts";
import { moreDisk } from "./disk-full.ts";

const MOST_STARTS = 3;
const MOST_ENDS = 2;

/**
 * Workers start and end before the handler runs. The logs decide: the states may read RUNNING, with unhealthy 0
 * (runpod-api.md 4.6).
 */
export function crashLoop(facts: Facts): Outcome {
  const loops = facts.logs.filter(isLoop);
  const unhealthy = facts.reads.workers.value.workers.filter(({ status }) => status === "UNHEALTHY");
  if (loops.length === 0 && unhealthy.length === 0) return notOne(facts);
  if (loops.length === 0 && facts.logs.length === 0) return null; // the logs decide, and could not be read
  const silent = loops.length > 0 && loops.every(({ spoke }) => !spoke);
  return {
    finding: {
      cause: "crash_loop",
      severity: "critical",
      summary: summaryOf(loops, silent),
      evidence: [
        ...loops.flatMap(loopEvidence),
        ...unhealthy.map(({ id, status }) => counted("workers", `${id}.status`, status)),
        ...contextOf(facts),
      ],
      recommendations: adviceFor(facts, loops, silent),
    },
  };
}

/**
 * True where a container came up again and again, and does not stand now. One that a single job brings down is no loop of
 * its own.
 */
function isLoop({ starts, startErrors, exits, ready, unfinished }: LogDigest): boolean {
  if (ready || [...unfinished.values()].some((count) => count >= MOST_ENDS)) return false;
  return starts >= MOST_STARTS || startErrors >= MOST_ENDS || exits >= MOST_ENDS;
}

function summaryOf(loops: readonly LogDigest[], silent: boolean): string {
  if (loops.some(({ startErrors }) => startErrors > 0))
    return "Workers cannot start their container: the start itself fails again and again";
  if (silent) return "Workers start their container again and again, and it ends before it says a word";
  return "Workers start and exit before the handler runs";
}

function loopEvidence(digest: LogDigest): readonly Evidence[] {
  const line = digest.decisive?.line ?? digest.lastStart;
  return [...(line === null ? [] : [logLine(digest.worker, line)]), ...startsOf(digest)];
}

function adviceFor(facts: Facts, loops: readonly LogDigest[], silent: boolean): readonly Recommendation[] {
  const lines = loops.map(({ decisive }) => decisive?.line.line ?? "");
  if (lines.some((line) => /no space left on device/i.test(line))) return [moreDisk(facts)];
  if (lines.some((line) => /exec format error/i.test(line)))
    return [advice("Build the image for linux/amd64, and deploy it (readback run deploy-image)")];
  if (silent)
    return [
      advice("Run the image elsewhere and look at its entry point: it ends before it prints anything"),
      advice("Deploy an image whose container stays up (readback run deploy-image)"),
    ];
  return [
    advice("Correct what the line names, in the image or in env, and deploy it (readback run deploy-image)"),
  ];
}

function notOne({ waiting, logs, counts }: Facts): Outcome {
  if (waiting === 0 || logs.length === 0) return null;
  const names = logs.map(({ worker }) => worker).join(", ");
  return ruledOut(
    "crash_loop",
    `the logs of ${names} show no container that starts again and again, and workers.summary.unhealthy is ${counts.unhealthy}`,
  );
}
