import type { Billing } from "../api/billing.ts";
import type { GpuType } from "../api/catalog.ts";
import type { Endpoint } from "../api/endpoint.ts";
import type { Health } from "../api/health.ts";
import type { ReleaseList } from "../api/releases.ts";
import type { WorkerList } from "../api/workers.ts";
import type { ErrorCode } from "../errors.ts";

/** What the person says is wrong; it widens the reads, and never outweighs one. */
export const SYMPTOMS = ["queue", "crash", "cold-start", "load-balancer"] as const;
export type Symptom = (typeof SYMPTOMS)[number];

/** Everything a diagnosis rests on; null is a read that was not needed. */
export interface Reads {
  readonly endpoint: Done<Endpoint>;
  /** Two samples some seconds apart while jobs queue, else one; none where a load balancer has no counters. */
  readonly health: readonly Done<Health>[];
  readonly workers: Done<WorkerList>;
  readonly job: Read<JobRead> | null;
  readonly logs: readonly WorkerLog[];
  readonly releases: Read<ReleaseList> | null;
  readonly catalog: Read<readonly GpuType[]> | null;
  readonly billing: Read<Billing> | null;
  /** All endpoints of the account, for what they take of its worker quota. */
  readonly endpoints: Read<readonly Endpoint[]> | null;
  readonly symptom: Symptom | null;
}

export type Read<T> = Done<T> | Failed;

export interface Done<T> {
  readonly ok: true;
  /** When the answer came, ISO 8601. */
  readonly at: string;
  readonly value: T;
}

export interface Failed {
  readonly ok: false;
  /** ISO 8601. */
  readonly at: string;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** The error's code, such as `forbidden`. */
  readonly code: ErrorCode;
  readonly error: string;
}

/** The log of one worker, as far as it was read. */
export interface WorkerLog {
  readonly worker: string;
  readonly read: Read<readonly LogLine[]>;
}

export interface LogLine {
  /** `container` or `system`; null where the service does not say. */
  readonly source: string | null;
  readonly line: string;
  /** ISO 8601; nanoseconds for the container, whole seconds for the system (runpod-api.md 2.11). */
  readonly ts: string | null;
}

/** What a status reply says about a job (runpod-api.md 3.4); times in milliseconds. */
export interface JobRead {
  readonly id: string;
  readonly status: string;
  /** Wait before the last attempt: a retry computes it anew. */
  readonly delayTimeMs: number | null;
  readonly executionTimeMs: number | null;
  readonly retries: number | null;
  readonly workerId: string | null;
  readonly error: string | null;
}
