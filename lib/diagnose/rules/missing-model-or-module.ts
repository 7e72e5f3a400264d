import { counted, fields } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Outcome } from "../finding.ts";
import { proofOf } from "./_proof.ts";

/** The program cannot load a module or a file of the model: the image or its env is wrong (runpod-api.md 5). */
export function missingModelOrModule(facts: Facts): Outcome {
  const proof = proofOf(facts, "missing_model_or_module");
  if (proof === null) return null;
  const isModule = /Module|ImportError|Numpy/i.test(proof.text);
  const names = Object.keys(facts.endpoint.env ?? {}).filter((name) => /MODEL/i.test(name));
  return {
    finding: {
      cause: "missing_model_or_module",
      severity: "critical",
      summary: isModule
        ? "The handler does not load: a module is missing or broken in the image"
        : "The handler does not load: a file of the model is not where it is looked for",
      evidence: [
        ...proof.evidence,
        ...fields(facts, "endpoint", "image"),
        ...names.map((name) => counted("endpoint", `env.${name}`, "set")),
      ],
      recommendations: [
        advice(
          isModule
            ? "Build an image that has the module, and deploy it (readback run deploy-image)"
            : "Correct the model's name or path in env, or build an image that has the file, and deploy it (readback run deploy-image)",
        ),
      ],
    },
  };
}
