import type { Submission } from "../fleet/jobs.ts";
import { membersOf } from "../json-text.ts";
import type { Problem } from "../reply.ts";
import type { RouteContext } from "../route.ts";
import { isObject } from "../schema.ts";

const MIB = 1024 * 1024;
const WEEK_MS = 7 * 86_400_000;
const BOUNDS_MS = { executionTimeout: [5000, WEEK_MS], ttl: [10_000, WEEK_MS] } as const;

/**
 * Reads the body of `/run` and `/runsync` (runpod-api.md 3.2). The input stays the text it is; keys that nobody knows are
 * ignored.
 */
export function readSubmission(
  { bodyText, bodyBytes, show }: RouteContext,
  limitMib: number,
): { readonly problem: Problem } | { readonly problem: null; readonly submission: Submission } {
  if (bodyBytes > limitMib * MIB) return bad(`request body exceeds the limit of ${limitMib} MiB`);
  const members = membersOf(bodyText);
  if (members === null) return bad("request body is not a JSON object");
  const input = members.get("input");
  if (input === undefined) return bad("input is required");
  if (!input.startsWith("{")) return bad("input must be an object");
  const policy = readPolicy(members.get("policy"));
  if (show.rules.policyBounds === 400 && isOutOfBounds(policy)) return bad("policy is out of bounds");
  return {
    problem: null,
    submission: {
      ...{ input, webhook: readText(members.get("webhook")) },
      executionTimeoutMs: numberIn(policy, "executionTimeout"),
      ttlMs: numberIn(policy, "ttl"),
      lowPriority: policy["lowPriority"] === true,
    },
  };
}

function bad(detail: string): { readonly problem: Problem } {
  return { problem: { status: 400, detail } };
}

function readPolicy(text: string | undefined): Readonly<Record<string, unknown>> {
  const policy: unknown = text === undefined ? {} : JSON.parse(text);
  return isObject(policy) ? policy : {};
}

function isOutOfBounds(policy: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(BOUNDS_MS).some(([name, [min, max]]) => {
    const value = numberIn(policy, name);
    return value !== null && (value < min || value > max);
  });
}

function readText(text: string | undefined): string | null {
  const value: unknown = text === undefined ? null : JSON.parse(text);
  return typeof value === "string" && value !== "" ? value : null;
}

function numberIn(policy: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = policy[name];
  return typeof value === "number" ? value : null;
}
