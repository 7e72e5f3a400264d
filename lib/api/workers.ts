import * as v from "valibot";
import { checkAs, jsonOf } from "./_parse.ts";
import { maskEnv } from "./json.ts";

/** One worker of an endpoint (runpod-api.md 2.8). Fields that the service leaves out are undefined. */
export interface Worker {
  readonly id: string;
  /** `RUNNING` `IDLE` `INITIALIZING` `THROTTLED` `UNHEALTHY`, or what the API adds later. */
  readonly status: string;
  /** True when it runs an older configuration than the endpoint's current one. */
  readonly isStale: boolean;
  readonly gpuCount: number;
  readonly version?: number | null;
  readonly image?: string | null;
  readonly uptimeSeconds?: number | null;
  readonly gpuTypeId?: string | null;
  readonly dataCenterId?: string | null;
  /** ISO 8601. */
  readonly startedAt?: string | null;
}

/** The workers of an endpoint that are up, and their counts by status; there is no `ready` count here. */
export interface WorkerList {
  readonly endpointVersion?: number | null;
  readonly summary: {
    readonly running?: number;
    readonly idle?: number;
    readonly initializing?: number;
    readonly throttled?: number;
    readonly unhealthy?: number;
    readonly total?: number;
  };
  readonly workers: readonly Worker[];
}

const WHAT = "list of workers";
const maybe = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema));
const count = v.optional(v.number());

const workersSchema = v.looseObject({
  endpointVersion: maybe(v.number()),
  summary: v.looseObject({
    running: count,
    idle: count,
    initializing: count,
    throttled: count,
    unhealthy: count,
    total: count,
  }),
  workers: v.array(
    v.looseObject({
      id: v.string(),
      status: v.string(),
      isStale: v.boolean(),
      gpuCount: v.number(),
      version: maybe(v.number()),
      image: maybe(v.string()),
      uptimeSeconds: maybe(v.number()),
      gpuTypeId: maybe(v.string()),
      dataCenterId: maybe(v.string()),
      startedAt: maybe(v.string()),
    }),
  ),
});

/**
 * Reads a list of workers. Values of an `env`, which an older form of this list had, are masked.
 *
 * @throws api_error - it is not a list of the documented shape
 */
export function parseWorkers(text: string): WorkerList {
  return checkAs(workersSchema, maskEnv(jsonOf(text, WHAT)), WHAT) as WorkerList;
}
