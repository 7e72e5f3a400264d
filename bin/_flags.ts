import type { ArgsDef } from "citty";
import { ReadbackError } from "../lib/errors.ts";

/** Flags of every command that talks to Runpod. */
export const CONNECTION_FLAGS = {
  sandbox: {
    type: "string",
    valueHint: "SCENARIO",
    description: "run against a fresh sandbox instead of Runpod, gone with the command",
  },
  timeout: {
    type: "string",
    valueHint: "DURATION",
    description: "deadline of each single call (default 30s)",
  },
  "allow-host": {
    type: "string",
    valueHint: "HOST[,…]",
    description: "hosts beside Runpod's that may be sent the key, over https",
  },
} as const satisfies ArgsDef;

/** `--json`, as most commands have it. */
export const JSON_FLAG = {
  json: { type: "boolean", description: "print one JSON document, and errors as one JSON line" },
} as const satisfies ArgsDef;

/** Flags of a look that passes on what the service said. */
export const LOOK_FLAGS = {
  "show-secrets": { type: "boolean", description: "show the values of env instead of ***" },
  ...JSON_FLAG,
  ...CONNECTION_FLAGS,
} as const satisfies ArgsDef;

/** Flags of a command that passes on a payload of the service. */
export const PAYLOAD_FLAGS = {
  output: {
    type: "string",
    alias: "o",
    valueHint: "json|yaml",
    description: "the payload as it came, or as YAML with its numbers and key order (default json)",
  },
} as const satisfies ArgsDef;

/** Flags of a command that waits for a job. */
export const HOLD_FLAG = {
  "no-hold": {
    type: "boolean",
    description: "poll /status only, and never let the service hold a reply at /status-sync",
  },
} as const satisfies ArgsDef;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a flag such as `--timeout` into milliseconds: `30s`, `500ms`, `2m`; a bare number is seconds. @throws usage_error */
export function timeoutOf(text: string | undefined, flag = "timeout"): { readonly timeoutMs?: number } {
  if (text === undefined) return {};
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const timeoutMs = Math.round(Number(amount) * (UNIT_MS[unit ?? "s"] ?? 1000));
  // setTimeout counts in 32 bits.
  if (timeoutMs >= 1 && timeoutMs < 2 ** 31) return { timeoutMs };
  throw new ReadbackError(
    "usage_error",
    `Cannot use --${flag} ${JSON.stringify(text)}: expected a duration such as 500ms, 30s or 2m`,
  );
}

/**
 * Reads a duration that needs its unit, `500ms`, `30s`, `5m`, `2h`, `1d`, into milliseconds; 0 may stand alone. A bare number is
 * refused, since the service counts in milliseconds and people in seconds.
 *
 * @throws usage_error
 */
export function durationOf(flag: string, text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const exactMs = text === "0" ? 0 : Number(amount) * (UNIT_MS[unit ?? ""] ?? Number.NaN);
  // Only 0 is 0: a duration below a millisecond would turn a wait into none.
  const ms = exactMs > 0 ? Math.max(1, Math.round(exactMs)) : exactMs;
  if (ms >= 0 && ms < 2 ** 31) return ms;
  const bare = /^\d+(\.\d+)?$/.test(text) ? "; the unit is missing" : "";
  throw new ReadbackError(
    "usage_error",
    `Cannot use --${flag} ${JSON.stringify(text)}: expected a duration such as 500ms, 30s, 5m or 2h${bare}`,
  );
}

/** Reads a list separated by commas. */
export function listOf(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}
