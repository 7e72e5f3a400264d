import { MASK } from "./mask.ts";

/** A reference to a secret that Runpod keeps; it is no secret itself. */
const SECRET_REFERENCE = /^\s*\{\{\s*RUNPOD_SECRET_[\w.-]+\s*\}\}\s*$/;

interface RawJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}

/** ES2025, on all three runtimes; not in every compiler's library yet. */
const raw = JSON as unknown as RawJson;

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * Parses JSON so that {@link stringifyLossless} gives it back as it came: numbers that JavaScript would write otherwise
 * (beyond 2^53, `1.0`) stay what they were, and `__proto__` is a key like any other. Key order is kept but for keys
 * that look like integers.
 *
 * @throws SyntaxError
 */
export function parseLossless(text: string): unknown {
  const keepNumbers: Reviver = (_key, value, context) => {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined || JSON.stringify(value) === source) return value;
    return raw.rawJSON(source);
  };
  return JSON.parse(text, keepNumbers);
}

/** Writes a document for a person: two spaces, numbers as they came. */
export function stringifyLossless(document: unknown): string {
  return JSON.stringify(document, null, 2);
}

/**
 * Gives a copy whose `env` values are masked, wherever an `env` stands, also in the diff of a release; references such as
 * `{{ RUNPOD_SECRET_x }}` stay visible.
 */
export function maskEnv(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(maskEnv);
  if (!isObject(document)) return document;
  const diff = typeof document["field"] === "string" && /(^|\.)env(\.|$)/.test(document["field"]);
  return mapValues(document, (value, key) => {
    if (key === "env" || (diff && (key === "old" || key === "new"))) return maskValue(value);
    return maskEnv(value);
  });
}

function maskValue(value: unknown): unknown {
  if (value === null || (typeof value === "string" && SECRET_REFERENCE.test(value))) return value;
  if (Array.isArray(value)) return value.map(maskValue);
  return isObject(value) ? mapValues(value, maskValue) : MASK;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !raw.isRawJSON(value);
}

/** `fromEntries` defines its keys, so that `__proto__` stays a key. */
function mapValues(
  object: Record<string, unknown>,
  change: (value: unknown, key: string) => unknown,
): unknown {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
