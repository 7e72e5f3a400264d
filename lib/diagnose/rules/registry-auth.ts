import { fields } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Outcome } from "../finding.ts";
import { proofOf } from "./_proof.ts";

/** The registry does not let the image be pulled (runpod-api.md 5). */
export function registryAuth(facts: Facts): Outcome {
  const proof = proofOf(facts, "registry_auth");
  if (proof === null) return null;
  return {
    finding: {
      cause: "registry_auth",
      severity: "critical",
      summary: "The registry refuses the pull of the image, so no container starts",
      evidence: [...proof.evidence, ...fields(facts, "endpoint", "image", "registry")],
      recommendations: [
        advice(
          facts.endpoint.registry
            ? "Replace the registry credential of the endpoint by one that may pull this image (serverless update --registry), or correct the image's name"
            : "Give the endpoint a registry credential that may pull this image (serverless update --registry), or correct the image's name",
        ),
      ],
    },
  };
}
