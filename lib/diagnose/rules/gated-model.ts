import { counted } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Outcome } from "../finding.ts";
import { proofOf } from "./_proof.ts";

const TOKEN_NAMES: readonly string[] = ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACE_TOKEN"];

/** The model is behind a gate that the worker's token does not open (runpod-api.md 5). */
export function gatedModel(facts: Facts): Outcome {
  const proof = proofOf(facts, "gated_model");
  if (proof === null) return null;
  const given = TOKEN_NAMES.find((name) => facts.endpoint.env?.[name] !== undefined);
  return {
    finding: {
      cause: "gated_model",
      severity: "critical",
      summary: "The model is gated, and the worker may not download it",
      evidence: [
        ...proof.evidence,
        counted("endpoint", `env.${given ?? "HF_TOKEN"}`, given === undefined ? "absent" : "set"),
      ],
      recommendations: [
        advice(
          given === undefined
            ? "Accept the model's terms, and set HF_TOKEN to a token of that account (serverless update --env-file)"
            : `Accept the model's terms with the account of the token in ${given}, or set another token (serverless update --env-file)`,
        ),
      ],
    },
  };
}
