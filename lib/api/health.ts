import * as v from "valibot";
import { ReadbackError } from "../errors.ts";

/** Counts of an endpoint's jobs and workers (runpod-api.md 3.4); a counter that the service leaves out is undefined. */
export interface Health {
  readonly jobs: {
    readonly completed?: number;
    readonly failed?: number;
    readonly inProgress?: number;
    readonly inQueue?: number;
    readonly retried?: number;
  };
  readonly workers: {
    readonly idle?: number;
    readonly initializing?: number;
    readonly ready?: number;
    readonly running?: number;
    readonly throttled?: number;
    readonly unhealthy?: number;
  };
}

const counter = v.optional(v.number());
const healthSchema = v.looseObject({
  jobs: v.looseObject({
    completed: counter,
    failed: counter,
    inProgress: counter,
    inQueue: counter,
    retried: counter,
  }),
  workers: v.looseObject({
    idle: counter,
    initializing: counter,
    ready: counter,
    running: counter,
    throttled: counter,
    unhealthy: counter,
  }),
});

/** Reads the counts of a health reply. @throws api_error - it is no health of the documented shape */
export function parseHealth(text: string): Health {
  const parsed = v.safeParse(healthSchema, jsonOf(text));
  if (parsed.success) return parsed.output as Health;
  throw new ReadbackError(
    "api_error",
    "Cannot read the health of the endpoint: the answer has no counts of jobs and workers",
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReadbackError("api_error", "Cannot read the health of the endpoint: the answer is not JSON");
  }
}
