import type { Endpoint } from "../api/endpoint.ts";
import { ReadbackError } from "../errors.ts";
import { maskedChange } from "../plan/document.ts";
import type { FieldChange } from "../plan/fields.ts";
import { sameValue } from "../plan/fields.ts";
import type { Mutation } from "../plan/mutation.ts";
import type { ReadBack } from "../plan/verdict.ts";

/** What somebody moved between the plan and the change, on which the change rests. */
export function driftError(
  mutation: Mutation,
  fresh: Endpoint,
  moved: readonly FieldChange[],
): ReadbackError {
  const [first] = moved.map(maskedChange);
  const fields = moved.map((change) => change.path).join(", ");
  return new ReadbackError(
    "drift",
    `Refused change ${mutation.n} of ${fresh.name} (${fresh.id}) before sending it: ${fields} moved since the plan (${first?.path} was ${text(first?.before)}, is ${text(first?.after)})`,
    { details: { endpoint: fresh.id, path: first?.path, planned: first?.before, found: first?.after } },
  );
}

/** The error of a verdict; null when the change is proved. */
export function verdictError(
  mutation: Mutation,
  before: Endpoint,
  readBack: ReadBack,
  lost: ReadbackError | null,
): ReadbackError | null {
  const { verdict } = readBack;
  if (verdict === "verified") return null;
  const details = {
    endpoint: before.id,
    verdict,
    ...(lost === null ? {} : { submitted: "unknown", answer: lost.code }),
  };
  const name = `${before.name} (${before.id})`;
  return new ReadbackError(verdict, `Change ${mutation.n} of ${name} ${sentence(readBack, lost)}`, {
    status: lost?.status ?? null,
    followUp: `readback serverless get ${before.id}`,
    details,
  });
}

function sentence(readBack: ReadBack, lost: ReadbackError | null): string {
  const { verdict, reads } = readBack;
  const answer = lost === null ? "" : ` (no good answer came: ${lost.message})`;
  const after = `${reads} fresh ${reads === 1 ? "read" : "reads"}`;
  if (verdict === "other_fields_changed")
    return `is in effect, but other fields moved: ${listed(readBack)}${answer}`;
  if (verdict === "not_applied" && lost === null) return `was accepted, but is not in effect after ${after}`;
  if (verdict === "not_applied") return `is not in effect after ${after}${answer}; it may still arrive`;
  if (verdict === "wrong_value")
    return `reads back with other values after ${after}: ${wrong(readBack)}${answer}`;
  return `could not be verified: no fresh read tells what it did${answer}`;
}

function listed({ otherFields }: ReadBack): string {
  return otherFields
    .map(maskedChange)
    .map(({ path, before, after }) => `${path} ${text(before)} → ${text(after)}`)
    .join(", ");
}

function wrong({ fields }: ReadBack): string {
  return fields
    .filter(({ path, expected, actual }) => !sameValue(path, expected, actual))
    .map(({ path, expected, actual }) => {
      const masked = maskedChange({ path, before: expected, after: actual });
      return `${path} is ${text(masked.after)} and not ${text(masked.before)}`;
    })
    .join(", ");
}

function text(value: unknown): string {
  if (typeof value === "object" && value !== null && "secret" in value) return "***";
  return JSON.stringify(value) ?? "nothing";
}
