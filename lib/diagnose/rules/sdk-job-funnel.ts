import { countText } from "../count-text.ts";
import { fields, logLine, queueEvidence, workerCounts } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Outcome, ruledOut } from "../finding.ts";

/** Worker SDKs whose counts of jobs in work meet in one file on a shared volume (case B56). */
const FIRST = "1.7.11";
const LAST = "1.10.0";

/** Several workers share a network volume and an SDK with a fault, so that one of them gets all the jobs. */
export function sdkJobFunnel(facts: Facts): Outcome {
  const { endpoint, waiting, counts, logs } = facts;
  if (waiting === 0 || counts.idle === 0 || counts.running === 0) return null;
  if (endpoint.networkVolumes.length === 0)
    return ruledOut("sdk_job_funnel", "the endpoint has no network volume");
  const versions = logs.flatMap(({ worker, sdk }) => (sdk === null ? [] : [{ worker, ...sdk }]));
  const faulty = versions.filter(({ version }) => isFaulty(version));
  if (faulty.length === 0)
    return versions[0] === undefined
      ? null
      : ruledOut(
          "sdk_job_funnel",
          `the worker SDK is ${versions[0].version}, which does not have that fault`,
        );
  return {
    finding: {
      cause: "sdk_job_funnel",
      severity: "critical",
      summary: `One worker gets the jobs beside ${countText(counts.idle, "idle worker")}: the worker SDK counts jobs in a file that all workers share on the network volume`,
      evidence: [
        ...faulty.map(({ worker, line }) => logLine(worker, line)),
        ...fields(facts, "endpoint", "networkVolumes"),
        ...queueEvidence(facts),
        ...workerCounts(facts),
      ],
      recommendations: [
        advice(
          `Build the image with a worker SDK newer than ${LAST} (those from ${FIRST} on have the fault) and deploy it (readback run deploy-image)`,
        ),
      ],
    },
  };
}

function isFaulty(version: string): boolean {
  return compare(version, FIRST) >= 0 && compare(version, LAST) <= 0;
}

function compare(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  const at = left.findIndex((part, i) => part !== right[i]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
