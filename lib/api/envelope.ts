import { Buffer } from "node:buffer";
import { ReadbackError } from "../errors.ts";
import { type PolicyValues, policyWarnings, writePolicy } from "./_policy.ts";
import { compactJson, JsonTextError, jsonKind, members } from "./json-text.ts";

/** What `/run` takes at most, as bytes of the whole body: 10 MiB (runpod-api.md 3.1). */
export const MAX_RUN_BYTES = 10 * 1024 * 1024;

/** What goes beside the input of a job (runpod-api.md 3.2). */
export interface EnvelopeOptions extends PolicyValues {
  /** Gets the finished job by POST; http or https. */
  readonly webhook?: string;
  /** JSON text of an object: where the worker puts its output; it holds keys and is in no message. */
  readonly s3Config?: string;
  /** What the input came from, for messages. @default "--input" */
  readonly source?: string;
}

/** The body of a `/run`, ready to be sent. */
export interface Envelope {
  /** The bytes to send, as text; the input as it was given, without insignificant white space. */
  readonly body: string;
  /** Length of the body in UTF-8. */
  readonly bytes: number;
  /** What a person should know before it is sent; nothing of it stops the submit. */
  readonly warnings: readonly string[];
  /** The job's own limits, in milliseconds, where it sets them. */
  readonly executionTimeoutMs: number | null;
  readonly ttlMs: number | null;
}

/**
 * Builds the body of a `/run` around an input, which is checked and spliced in as it is written: no number, key or order
 * changes.
 *
 * @throws usage_error when the input is no JSON object, a value is out of bounds, or the body is longer than 10 MiB
 */
export function buildEnvelope(input: string, options: EnvelopeOptions = {}): Envelope {
  const source = options.source ?? "--input";
  const compact = compactInput(input, source);
  assertSize(compact, source);
  if (jsonKind(compact) !== "object") throw notAnObject(source, compact);
  const policy = writePolicy(options);
  const parts = [
    `"input":${compact}`,
    ...(options.webhook === undefined ? [] : [`"webhook":${JSON.stringify(webhookUrl(options.webhook))}`]),
    ...(policy === null ? [] : [`"policy":${policy}`]),
    ...(options.s3Config === undefined ? [] : [`"s3Config":${s3ConfigText(options.s3Config)}`]),
  ];
  const warnings = [...inputWarnings(compact), ...policyWarnings(options)];
  return sized(`{${parts.join(",")}}`, source, {
    warnings,
    executionTimeoutMs: options.executionTimeoutMs ?? null,
    ttlMs: options.ttlMs ?? null,
  });
}

/** The body with its length. @throws usage_error when it is longer than the service takes */
export function sized(body: string, source: string, rest: Omit<Envelope, "body" | "bytes">): Envelope {
  return { body, bytes: assertSize(body, source), ...rest };
}

/**
 * Gives an input without insignificant white space.
 *
 * @throws usage_error when it is empty or no JSON; it says where, and names what a shell does to quotes
 */
export function compactInput(text: string, source: string): string {
  // Editors and PowerShell put a byte order mark before a text; it is no part of it.
  const given = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (given.trim() === "")
    throw new ReadbackError("usage_error", `${source} is empty: expected a JSON object`);
  if (!given.isWellFormed()) throw new ReadbackError("usage_error", `${source} is not valid text`);
  try {
    return compactJson(given);
  } catch (error) {
    const why = error instanceof JsonTextError ? error.message : "it cannot be read";
    throw new ReadbackError("usage_error", `${source} is not JSON: ${why}${quotesHint(given)}`);
  }
}

/** What an input holds that is not what it seems to be. */
export function inputWarnings(input: string): readonly string[] {
  const found = members(input) ?? [];
  if (found.length === 0) {
    return [
      "the input is empty: workers of SDK 1.11 refuse an empty input, and the job then fails after about 100 s as timed out",
    ];
  }
  const keys = [...new Set(found.map(({ key }) => key))];
  const ignored = keys.filter((key) => Object.hasOwn(FLAGS, key));
  const nested = keys.includes("input");
  if (!nested && ignored.length === 0) return [];
  const parts = [
    ...(nested ? ['the input has a key "input" of its own, and is sent as it is, inside "input"'] : []),
    ...(ignored.length === 0 ? [] : [ignoredText(ignored)]),
    ...(nested ? ["to send a whole envelope: --body-file"] : []),
  ];
  return [parts.join("; ")];
}

/** @throws usage_error for what is no http or https URL */
export function webhookUrl(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new ReadbackError("usage_error", "The webhook is no http or https URL");
}

/** @throws usage_error when it is no JSON object; its text is never shown */
export function s3ConfigText(text: string): string {
  const compact = jsonOrNull(text);
  if (compact === null || jsonKind(compact) !== "object" || compact === "{}") {
    throw new ReadbackError("usage_error", "s3Config is no JSON object with content");
  }
  return compact;
}

/** Keys that count beside the input alone, and what sets them there (runpod-api.md 3.2). */
const FLAGS: Readonly<Record<string, string>> = {
  policy: "--execution-timeout, --ttl and --low-priority",
  webhook: "--webhook",
  s3Config: "--s3-config",
};

function ignoredText(keys: readonly string[]): string {
  const verb = keys.length === 1 ? "sets" : "set";
  const flags = keys.map((key) => `${key} by ${FLAGS[key]}`).join(", ");
  return `inside the input ${keys.join(", ")} ${verb} nothing, since the service reads them beside it alone; set ${flags}`;
}

function notAnObject(source: string, compact: string): ReadbackError {
  const kind = jsonKind(compact);
  const found = kind === "null" ? "null" : `${kind === "array" ? "an" : "a"} ${kind}`;
  return new ReadbackError("usage_error", `${source} must be a JSON object, and is ${found}`);
}

function assertSize(text: string, source: string): number {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_RUN_BYTES) return bytes;
  const text2 = `the request would be ${bytes} bytes long, and the service takes ${MAX_RUN_BYTES} (10 MiB)`;
  const advice = "put large data where the worker can fetch it, and pass its URL";
  throw new ReadbackError("usage_error", `${source} is too large: ${text2}; ${advice}`);
}

/** `{prompt:hi}`: what Windows PowerShell leaves of `{"prompt":"hi"}`. */
function quotesHint(text: string): string {
  if (!/^\s*\{[^"]*:[^"]*\}\s*$/.test(text)) return "";
  return "; it has no double quotes, as if the shell had stripped them, which is typical of PowerShell: use --input-file PATH, or --input - and a pipe";
}

function jsonOrNull(text: string): string | null {
  try {
    return compactJson(text);
  } catch {
    return null;
  }
}
