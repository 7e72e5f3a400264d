import type { LogQuery, LogSource } from "../api/logs.ts";
import { ReadbackError } from "../errors.ts";
import { stampOf } from "./log-line.ts";

/** What of a log to read. */
export interface LogOptions {
  /** @default both */
  readonly source?: LogSource;
  /** Lines of the past, 0 to 5000; 0 is live only. @default 100 */
  readonly tail?: number;
  /** RFC 3339; then `tail` does not count. */
  readonly since?: string;
}

/** The longest tail (runpod-api.md 2.11). */
export const MOST_LINES = 5_000;

/** Gives what is asked of the service. @throws usage_error - a value that it would refuse (runpod-api.md 2.11) */
export function logQuery({ source, tail, since }: LogOptions): LogQuery {
  if (source !== undefined && source !== "container" && source !== "system")
    throw usage(`The source ${JSON.stringify(source)} is none: expected container or system`);
  if (tail !== undefined && !(Number.isInteger(tail) && tail >= 0 && tail <= MOST_LINES))
    throw usage(`The tail is ${tail}: expected a whole number from 0 to ${MOST_LINES}`);
  if (since !== undefined && (stampOf(since) === null || Number.isNaN(Date.parse(since))))
    throw usage(`since is ${JSON.stringify(since)}: expected an instant such as 2026-08-06T17:43:01Z`);
  return {
    ...(source === undefined ? {} : { source }),
    ...(tail === undefined || since !== undefined ? {} : { tail }),
    ...(since === undefined ? {} : { since }),
  };
}

function usage(text: string): ReadbackError {
  return new ReadbackError("usage_error", text);
}
