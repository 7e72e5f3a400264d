import type { ArgsDef } from "citty";
import { ReadbackError } from "../lib/errors.ts";
import { type LogOptions, logQuery } from "../lib/logs/log-options.ts";
import { timeoutOf } from "./_flags.ts";

/** Flags of `serverless logs`, by runpodctl's names. */
export const LOG_FLAGS = {
  worker: {
    type: "string",
    valueHint: "ID[,…]",
    description: "workers to read (default: all that are up, 32 at once)",
  },
  source: {
    type: "string",
    valueHint: "SOURCE",
    description: "container, system or both (default both)",
  },
  tail: { type: "string", valueHint: "N", description: "lines of the past, 0 to 5000 (default 100)" },
  since: {
    type: "string",
    valueHint: "TIME",
    description: "from then on: 30m, 2h, or an instant as 2026-08-06T17:43:01Z; --tail then does not count",
  },
  follow: { type: "boolean", description: "go on until interrupted; workers that come later are picked up" },
  "max-wait": {
    type: "string",
    valueHint: "DURATION",
    description: "end after this long at the latest, without --follow (default 5s)",
  },
} as const satisfies ArgsDef;

interface Given {
  readonly source?: string | undefined;
  readonly tail?: string | undefined;
  readonly since?: string | undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads what of the log is wanted. @throws usage_error */
export function logOptionsOf({ source, tail, since }: Given, nowMs: number): LogOptions {
  const options = {
    ...(source === undefined || source === "both" ? {} : { source: sourceOf(source) }),
    ...(tail === undefined ? {} : { tail: tailOf(tail) }),
    ...(since === undefined ? {} : { since: sinceOf(since, nowMs) }),
  };
  logQuery(options); // what the service would refuse
  return options;
}

/** Reads `--max-wait` into milliseconds. @throws usage_error */
export function maxWaitOf(text: string | undefined, follow: boolean): { readonly maxWaitMs?: number } {
  if (text === undefined) return {};
  if (follow) throw usage("--max-wait ends a look at the logs, and --follow has no end: give one of them");
  const { timeoutMs } = timeoutOf(text, "max-wait");
  return timeoutMs === undefined ? {} : { maxWaitMs: timeoutMs };
}

function sourceOf(text: string): "container" | "system" {
  if (text === "container" || text === "system") return text;
  throw usage(`Cannot use --source ${JSON.stringify(text)}: expected container, system or both`);
}

function tailOf(text: string): number {
  const tail = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (tail <= 5_000) return tail;
  throw usage(`Cannot use --tail ${JSON.stringify(text)}: expected a whole number from 0 to 5000`);
}

/** A duration counts back from now. */
function sinceOf(text: string, nowMs: number): string {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const ms = Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  if (ms >= 0 && ms <= nowMs) return new Date(nowMs - ms).toISOString();
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
  if (isInstant && /(Z|[+-]\d\d:\d\d)$/.test(text)) return text;
  throw usage(
    `Cannot use --since ${JSON.stringify(text)}: expected a duration such as 30m or 2h, or an instant such as 2026-08-06T17:43:01Z`,
  );
}

function usage(text: string): ReadbackError {
  return new ReadbackError("usage_error", text, { followUp: "readback serverless logs --help" });
}
