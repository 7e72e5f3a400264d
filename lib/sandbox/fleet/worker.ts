import type { WorldEndpoint } from "../world.ts";
import type { WorldJob } from "./job.ts";
import type { LogLine } from "./worker-log.ts";

/** A worker as the sandbox keeps it. */
export interface FleetWorker {
  readonly id: string;
  readonly version: number;
  readonly image: string;
  /** What its container was made of; it is replaced once the endpoint says otherwise. */
  readonly container: string;
  readonly gpuCount: number;
  /** Null on CPUs, and while there is no machine. */
  gpuTypeId: string | null;
  dataCenterId: string | null;
  /** What it is by itself; whether it is busy shows in `job`. */
  state: "THROTTLED" | "INITIALIZING" | "READY" | "UNHEALTHY";
  /** When its container was created; null while there is no machine. */
  startedAtMs: number | null;
  /** Since when it has had nothing to do; null while it has, or is not ready. */
  idleSinceMs: number | null;
  job: WorldJob | null;
  /** Its container is being stopped: it takes no job and is gone in a moment. */
  isStopping: boolean;
  /** A record that the service forgot to clear away (runpod-api.md 3.9, 6): it counts for nothing. */
  readonly isLeftover: boolean;
  /** What is still there of it. */
  readonly log: LogLine[];
  /** How many lines there ever were. */
  logged: number;
}

export type WorkerStatus = "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";

/**
 * The status that reads show, in the order of the workers: minimum workers stay RUNNING without a job, and a load
 * balancer's ready ones are (runpod-api.md 4.1).
 */
export function statusesOf(
  workers: readonly FleetWorker[],
  endpoint: WorldEndpoint,
): ReadonlyMap<FleetWorker, WorkerStatus> {
  let reserve = endpoint.type === "LOAD_BALANCER" ? workers.length : endpoint.workers.min;
  return new Map(
    workers.map((worker) => {
      if (worker.state !== "READY") return [worker, worker.state];
      const isReserve = !worker.isStopping && reserve-- > 0;
      return [worker, worker.job !== null || isReserve ? "RUNNING" : "IDLE"];
    }),
  );
}

/**
 * Whether a worker runs an older configuration; at version 1 images are compared (runpod-api.md 2.8).
 */
export function isStale(worker: FleetWorker, endpoint: WorldEndpoint): boolean {
  return endpoint.version === 1 ? worker.image !== endpoint.image : worker.version !== endpoint.version;
}

/** What a container is made of: the fields whose change makes running workers be replaced. */
export function containerOf(endpoint: WorldEndpoint, fields: readonly string[]): string {
  const values = endpoint as unknown as Readonly<Record<string, unknown>>;
  return JSON.stringify(fields.map((field) => values[field]));
}
