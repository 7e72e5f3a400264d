import { fix, updateWords } from "../command.ts";
import { fields } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import type { Outcome, Recommendation } from "../finding.ts";
import { advice } from "../finding.ts";
import { proofOf } from "./_proof.ts";

/** The container's own disk is full while it loads (runpod-api.md 5). */
export function diskFull(facts: Facts): Outcome {
  const proof = proofOf(facts, "disk_full");
  if (proof === null) return null;
  return {
    finding: {
      cause: "disk_full",
      severity: "critical",
      summary: "The container's disk is full, so the worker does not get as far as its jobs",
      evidence: [...proof.evidence, ...fields(facts, "endpoint", "disk", "networkVolumes")],
      recommendations: [
        moreDisk(facts),
        advice("Or write less: keep the model in the image or on a network volume, and caches off the disk"),
      ],
    },
  };
}

/** Raising the container's disk, twice as large; its size is not known where the read has none. */
export function moreDisk({ endpoint }: Facts): Recommendation {
  const text = "Give the container a larger disk; this starts a release, and new workers have it";
  if (endpoint.disk === undefined) return advice(`${text} (serverless update --disk)`);
  return fix(text, updateWords(endpoint.id, "--disk", String(endpoint.disk * 2)));
}
