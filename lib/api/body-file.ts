import { ReadbackError } from "../errors.ts";
import { assertPolicy, type PolicyValues, policyWarnings } from "./_policy.ts";
import { compactInput, type Envelope, inputWarnings, s3ConfigText, sized, webhookUrl } from "./envelope.ts";
import { jsonKind, type Member, members } from "./json-text.ts";

const KNOWN = ["input", "webhook", "policy", "s3Config"];
const KNOWN_IN_POLICY = ["executionTimeout", "ttl", "lowPriority"];

/**
 * Checks a whole envelope, as `--body-file` takes it, and gives its body: known keys alone, and an input that is an
 * object. It is sent as it is written, without insignificant white space.
 *
 * @throws usage_error otherwise, naming the key
 */
export function checkEnvelope(text: string, options: { readonly source?: string } = {}): Envelope {
  const source = options.source ?? "--body-file";
  const body = compactInput(text, source);
  const empty = sized(body, source, { warnings: [], executionTimeoutMs: null, ttlMs: null });
  const found = members(body);
  if (found === null) throw usage(`${source} must be a JSON object {"input": …}`);
  const fields = uniqueFields(found, source);
  assertKnown(fields, source);
  const input = fields.get("input");
  if (input === undefined) throw usage(`${source} has no "input"; an input alone goes to --input-file`);
  if (jsonKind(input) !== "object")
    throw usage(`"input" in ${source} must be an object, and is ${jsonKind(input)}`);
  checkWebhook(fields.get("webhook"));
  const s3Config = fields.get("s3Config");
  if (s3Config !== undefined) s3ConfigText(s3Config);
  const policy = readPolicy(fields.get("policy"), source);
  return {
    ...empty,
    warnings: [...inputWarnings(input), ...policyWarnings(policy)],
    executionTimeoutMs: policy.executionTimeoutMs ?? null,
    ttlMs: policy.ttlMs ?? null,
  };
}

/** Which of two would count is nowhere said. */
function uniqueFields(found: readonly Member[], where: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const { key, value } of found) {
    if (fields.has(key)) throw usage(`"${key}" stands twice in ${where}`);
    fields.set(key, value);
  }
  return fields;
}

function assertKnown(fields: ReadonlyMap<string, string>, source: string): void {
  const unknown = [...fields.keys()].filter((key) => !KNOWN.includes(key));
  if (unknown.length === 0) return;
  const hint = unknown.includes("timeout")
    ? '; how long to wait is --wait 60s, how long the job may run is "policy": {"executionTimeout": 60000}'
    : "";
  const names = unknown.map((key) => JSON.stringify(key)).join(", ");
  throw usage(`${source} has unknown envelope keys: ${names}; known are ${KNOWN.join(", ")}${hint}`);
}

function checkWebhook(value: string | undefined): void {
  if (value === undefined) return;
  webhookUrl(jsonKind(value) === "string" ? String(JSON.parse(value)) : "");
}

function readPolicy(text: string | undefined, source: string): PolicyValues {
  if (text === undefined) return {};
  const found = members(text);
  if (found === null) throw usage(`"policy" in ${source} must be an object`);
  const fields = uniqueFields(found, `"policy" in ${source}`);
  const unknown = [...fields.keys()].filter((key) => !KNOWN_IN_POLICY.includes(key));
  if (unknown.length > 0) {
    throw usage(
      `"policy" in ${source} has unknown keys: ${unknown.join(", ")}; known are ${KNOWN_IN_POLICY.join(", ")}`,
    );
  }
  const lowPriority = fields.get("lowPriority");
  if (lowPriority !== undefined && jsonKind(lowPriority) !== "boolean") {
    throw usage(`"policy.lowPriority" in ${source} must be true or false`);
  }
  const values = {
    ...milliseconds("executionTimeoutMs", fields.get("executionTimeout")),
    ...milliseconds("ttlMs", fields.get("ttl")),
  };
  assertPolicy(values);
  return values;
}

function milliseconds(name: "executionTimeoutMs" | "ttlMs", text: string | undefined): PolicyValues {
  return text === undefined ? {} : { [name]: jsonKind(text) === "number" ? Number(text) : Number.NaN };
}

function usage(text: string): ReadbackError {
  return new ReadbackError("usage_error", text);
}
