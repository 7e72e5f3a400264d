import type { Facts } from "./facts.ts";
import type { Evidence, LogEvidence } from "./finding.ts";
import type { LogLine } from "./reads.ts";

/** Fields of a read, as dotted paths, with the values they had; a field that is not there is left out. */
export function fields(facts: Facts, read: FieldRead, ...paths: readonly string[]): readonly Evidence[] {
  const document = documentOf(facts, read);
  return paths.flatMap((field) => {
    const value = valueAt(document, field);
    return value === undefined ? [] : [{ read, field, value }];
  });
}

export type FieldRead = "endpoint" | "health" | "earlierHealth" | "workers" | "job" | "releases";

/** A value that was counted or looked up in a read. */
export function counted(read: string, field: string, value: unknown): Evidence {
  return { read, field, value };
}

/** A line of a worker's log. */
export function logLine(worker: string, line: LogLine): LogEvidence {
  return { read: "logs", worker, line: line.line, ts: line.ts };
}

/** What both samples say about the queue: the earlier one only where there is one. */
export function queueEvidence(facts: Facts): readonly Evidence[] {
  const paths = ["jobs.inQueue", "jobs.inProgress", "jobs.completed"];
  return [
    ...fields(facts, "health", ...paths),
    ...(facts.earlier === null ? [] : fields(facts, "earlierHealth", ...paths)),
    ...(facts.job?.status.toUpperCase() === "IN_QUEUE" ? fields(facts, "job", "id", "status") : []),
  ];
}

/** What the job's status read says. */
export function jobEvidence(facts: Facts): readonly Evidence[] {
  const paths = ["id", "status", "retries", "delayTimeMs", "executionTimeMs", "workerId", "error"];
  return fields(facts, "job", ...paths).filter((entry) => "value" in entry && entry.value !== null);
}

/** The counts of the list of workers. */
export function workerCounts(facts: Facts): readonly Evidence[] {
  const paths = ["running", "idle", "initializing", "throttled", "unhealthy", "total"];
  return paths.map((name) =>
    counted("workers", `summary.${name}`, facts.counts[name as keyof Facts["counts"]]),
  );
}

function documentOf({ endpoint, health, earlier, job, reads }: Facts, read: FieldRead): unknown {
  if (read === "endpoint") return endpoint;
  if (read === "health") return health;
  if (read === "earlierHealth") return earlier;
  if (read === "job") return job;
  if (read === "workers") return reads.workers.value;
  return reads.releases?.ok ? reads.releases.value : null;
}

function valueAt(document: unknown, path: string): unknown {
  let at: unknown = document;
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
