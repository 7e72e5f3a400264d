import type { Facts } from "../facts.ts";
import { advice, type Outcome } from "../finding.ts";
import { handlerError } from "./_handler-error.ts";
import { contextOf, proofOf } from "./_proof.ts";

/** The worker turns the job down for what is in it, whatever the status names as the reason (runpod-api.md 3.9, 4.6). */
export function badPayload(facts: Facts): Outcome {
  const proof = proofOf(facts, "bad_payload");
  const evidence = proof?.evidence ?? (isInputError(facts) ? contextOf(facts) : null);
  if (evidence === null) return null;
  return {
    finding: {
      cause: "bad_payload",
      severity: "critical",
      summary: "The worker is up and turns the job down for what its input holds, or lacks",
      evidence,
      recommendations: [
        advice(
          "Submit the job with the input that the handler takes; under `input` there must be at least one field",
        ),
      ],
    },
  };
}

/** The handler's own words for a wrong input. */
function isInputError({ job }: Facts): boolean {
  const found = handlerError(job);
  if (found === null) return false;
  return (
    /\b(KeyError|ValidationError|JSONDecodeError)\b/.test(found.type) ||
    /missing (required )?(field|input|key|argument|parameter)|is (a )?required|not a valid input|invalid input|validation error/i.test(
      found.message,
    )
  );
}
