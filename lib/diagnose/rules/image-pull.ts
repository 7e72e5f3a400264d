import { counted, fields, logLine } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Evidence, type Outcome } from "../finding.ts";
import { contextOf, proofOf } from "./_proof.ts";

/** A pull that was put off this often in a row is not just slow. */
const MOST_PENDING = 3;

/** The image cannot be had: no such image, or the registry does not deliver (runpod-api.md 5). */
export function imagePull(facts: Facts): Outcome {
  const evidence = proofOf(facts, "image_pull")?.evidence ?? pendingEvidence(facts);
  if (evidence === null) return null;
  return {
    finding: {
      cause: "image_pull",
      severity: "critical",
      summary: "The image cannot be pulled, so no container starts",
      evidence: [...evidence, ...fields(facts, "endpoint", "image")],
      recommendations: [
        advice("Check that the image and its tag exist and that the registry is up; pull it elsewhere once"),
        advice("Deploy an image that can be pulled (readback run deploy-image), by a tag that does not move"),
      ],
    },
  };
}

function pendingEvidence(facts: Facts): readonly Evidence[] | null {
  const waiting = facts.logs.filter(({ pendingPulls }) => pendingPulls >= MOST_PENDING);
  if (waiting.length === 0) return null;
  const lines = waiting.flatMap(({ worker, lastPending, pendingPulls }) => [
    ...(lastPending === null ? [] : [logLine(worker, lastPending)]),
    counted("logs", `${worker}.pendingPulls`, pendingPulls),
  ]);
  return [...lines, ...contextOf(facts)];
}
