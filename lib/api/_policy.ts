import { ReadbackError } from "../errors.ts";

/** The job's own limits (runpod-api.md 3.2). */
export interface PolicyValues {
  /** How long the job may run, in milliseconds: 5 s to 7 d. */
  readonly executionTimeoutMs?: number;
  /** When the job is removed, from its submission, in milliseconds: 10 s to 7 d. */
  readonly ttlMs?: number;
  /** The job does not make the endpoint scale up. */
  readonly lowPriority?: boolean;
}

interface Bounds {
  readonly minMs: number;
  readonly text: string;
}

const MAX_MS = 7 * 24 * 3_600_000;
const EXECUTION_TIMEOUT: Bounds = { minMs: 5_000, text: "5 s to 7 d" };
const TTL: Bounds = { minMs: 10_000, text: "10 s to 7 d" };

/** Gives the JSON text of `policy`, or null when it would say nothing. @throws usage_error for a value out of bounds */
export function writePolicy(values: PolicyValues): string | null {
  const { executionTimeoutMs, ttlMs, lowPriority } = values;
  assertPolicy(values);
  const policy = {
    ...(executionTimeoutMs === undefined ? {} : { executionTimeout: executionTimeoutMs }),
    ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
    ...(lowPriority === undefined ? {} : { lowPriority }),
  };
  return Object.keys(policy).length === 0 ? null : JSON.stringify(policy);
}

/** @throws usage_error for a value that is no whole number of milliseconds within the service's bounds */
export function assertPolicy({ executionTimeoutMs, ttlMs }: PolicyValues): void {
  assertBounds("The execution timeout", executionTimeoutMs, EXECUTION_TIMEOUT);
  assertBounds("The ttl", ttlMs, TTL);
}

/** The ttl counts from the submission, queue and cold start included, and removes a job that runs (runpod-api.md 3.5). */
export function policyWarnings({ executionTimeoutMs, ttlMs }: PolicyValues): readonly string[] {
  if (executionTimeoutMs === undefined || ttlMs === undefined || ttlMs >= executionTimeoutMs) return [];
  return [
    `the ttl (${ttlMs} ms) is shorter than the execution timeout (${executionTimeoutMs} ms): the job may be deleted while running`,
  ];
}

function assertBounds(what: string, value: number | undefined, { minMs, text }: Bounds): void {
  if (value === undefined || (Number.isInteger(value) && value >= minMs && value <= MAX_MS)) return;
  throw new ReadbackError("usage_error", `${what} is ${value} ms; the service takes ${text}`);
}
