import type { GpuType } from "../api/catalog.ts";
import type { Endpoint } from "../api/endpoint.ts";
import type { Health } from "../api/health.ts";
import type { Worker } from "../api/workers.ts";
import { type Stock, stockOf } from "../plan/stock.ts";
import { digestLog, type LogDigest } from "./log-digest.ts";
import type { Failed, JobRead, Reads, WorkerLog } from "./reads.ts";
import { type Trend, trendOf } from "./trend.ts";

/** What the rules look at: the reads, and what follows from them alone. */
export interface Facts {
  readonly reads: Reads;
  readonly endpoint: Endpoint;
  readonly isLoadBalancer: boolean;
  /** The newest sample; null where a load balancer has none. */
  readonly health: Health | null;
  readonly earlier: Health | null;
  /** Jobs that wait: by health, or the one asked about where health does not show it (the two may disagree). */
  readonly waiting: number;
  readonly inProgress: number;
  readonly trend: Trend;
  /** Workers of the list by status. */
  readonly counts: Counts;
  readonly logs: readonly LogDigest[];
  /** Logs that would decide and could not be read. */
  readonly unreadLogs: readonly UnreadLog[];
  readonly catalog: readonly GpuType[] | null;
  /** Null on CPUs and where no catalog was read. */
  readonly stock: Stock | null;
  readonly job: JobRead | null;
}

export interface Counts {
  readonly running: number;
  readonly idle: number;
  readonly initializing: number;
  readonly throttled: number;
  readonly unhealthy: number;
  readonly total: number;
}

export interface UnreadLog {
  readonly worker: string;
  readonly read: Failed;
}

/** Draws the facts from the reads. */
export function factsOf(reads: Reads): Facts {
  const endpoint = reads.endpoint.value;
  const health = reads.health.at(-1)?.value ?? null;
  const earlier = reads.health.length > 1 ? (reads.health[0]?.value ?? null) : null;
  const job = reads.job?.ok ? reads.job.value : null;
  const waiting = Math.max(health?.jobs.inQueue ?? 0, job?.status.toUpperCase() === "IN_QUEUE" ? 1 : 0);
  const catalog = reads.catalog?.ok ? reads.catalog.value : null;
  return {
    reads,
    endpoint,
    isLoadBalancer: endpoint.type === "LOAD_BALANCER",
    health,
    earlier,
    waiting,
    inProgress: health?.jobs.inProgress ?? 0,
    trend: trendOf(earlier, health, waiting),
    counts: countsOf(reads.workers.value.workers),
    logs: reads.logs.flatMap((log) => digestOf(log, probePathOf(endpoint))),
    unreadLogs: unreadOf(reads),
    catalog,
    stock: catalog === null || !endpoint.gpu ? null : stockOf(endpoint, catalog),
    job,
  };
}

/** Workers that hold a place: all but those that wait for capacity. */
export function placed({ running, idle, initializing, unhealthy }: Counts): number {
  return running + idle + initializing + unhealthy;
}

/** Workers that start, by the plane that sees more of them: the two may disagree (runpod-api.md 3.9). */
export function starting({ counts, health }: Facts): number {
  return Math.max(counts.initializing, health?.workers.initializing ?? 0);
}

/** The path that a load balancer polls; null for a queue. */
export function probePathOf(endpoint: Endpoint): string | null {
  if (endpoint.type !== "LOAD_BALANCER") return null;
  const set = endpoint.env?.["HEALTH_CHECK_PATH"];
  if (set !== undefined) return set; // what requestUrls add before it is of the address, not of the worker
  const url = endpoint.requestUrls?.["health"] ?? "";
  return URL.canParse(url) ? new URL(url).pathname : "/ping";
}

function countsOf(workers: readonly Worker[]): Counts {
  const count = (status: string): number => workers.filter((worker) => worker.status === status).length;
  return {
    running: count("RUNNING"),
    idle: count("IDLE"),
    initializing: count("INITIALIZING"),
    throttled: count("THROTTLED"),
    unhealthy: count("UNHEALTHY"),
    total: workers.length,
  };
}

function digestOf({ worker, read }: WorkerLog, path: string | null): LogDigest[] {
  return read.ok ? [digestLog(worker, read.value, path)] : [];
}

/**
 * A worker that was never placed, or just was, has nothing to say, and the service then sends no headers: that is no failed
 * read. Neither is a worker that is gone, unless it is the one that ran the job (runpod-api.md 2.11).
 */
function unreadOf({ logs, workers, job }: Reads): readonly UnreadLog[] {
  const ran = job?.ok ? job.value.workerId : null;
  return logs.flatMap(({ worker, read }) => {
    if (read.ok) return [];
    const status = workers.value.workers.find(({ id }) => id === worker)?.status;
    const quiet = read.code === "call_timeout" && (status === "THROTTLED" || status === "INITIALIZING");
    const gone = read.code === "not_found" && worker !== ran;
    return quiet || gone ? [] : [{ worker, read }];
  });
}
