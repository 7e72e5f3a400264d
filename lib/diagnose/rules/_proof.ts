import { counted, fields, jobEvidence, logLine, queueEvidence, workerCounts } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import type { Cause, Evidence } from "../finding.ts";
import type { Decisive, LogDigest } from "../log-digest.ts";
import { causeOfText } from "../log-signs.ts";
import type { LogLine } from "../reads.ts";

/** What proves a cause that only a container can show: lines of logs, or the error of the job that was asked about. */
export interface Proof {
  /** The line, or the job's error. */
  readonly text: string;
  /** The worker that said it; null where only the job's status has it. */
  readonly worker: string | null;
  readonly evidence: readonly Evidence[];
}

const MOST_WORKERS = 3;

/** Finds the proof of a cause; null where no read has one. */
export function proofOf(facts: Facts, cause: Cause): Proof | null {
  const found = facts.logs.flatMap((digest) => linesOf(digest, cause, facts));
  const [first] = found;
  const context = contextOf(facts);
  if (first !== undefined) {
    const lines = found
      .slice(0, MOST_WORKERS)
      .flatMap(({ digest, line }) => [logLine(digest.worker, line), ...startsOf(digest)]);
    return { text: first.line.line, worker: first.digest.worker, evidence: [...lines, ...context] };
  }
  const error = facts.job?.error ?? null;
  if (error === null || causeOfText(error) !== cause) return null;
  return { text: error, worker: null, evidence: context };
}

/** How often a container was started, as evidence; nothing for the one start that every worker has. */
export function startsOf({ worker, starts, startErrors, exits }: LogDigest): readonly Evidence[] {
  const counts: readonly (readonly [string, number])[] = [
    ["starts", starts],
    ["startErrors", startErrors],
    ["exits", exits],
  ];
  return counts.flatMap(([name, count]) =>
    count > (name === "starts" ? 1 : 0) ? [counted("logs", `${worker}.${name}`, count)] : [],
  );
}

/** What stands around it: the queue, the workers' counts, the job. */
export function contextOf(facts: Facts): readonly Evidence[] {
  return [
    ...(facts.waiting > 0 ? queueEvidence(facts) : []),
    ...fields(facts, "health", "jobs.failed", "jobs.retried").filter(isNotZero),
    ...jobEvidence(facts),
    ...workerCounts(facts).filter(isNotZero),
  ];
}

function isNotZero(entry: Evidence): boolean {
  return "value" in entry && entry.value !== 0;
}

interface Found {
  readonly digest: LogDigest;
  readonly line: LogLine;
}

function linesOf(digest: LogDigest, cause: Cause, facts: Facts): readonly Found[] {
  if (digest.decisive?.cause === cause) return [{ digest, line: digest.decisive.line }];
  const trouble = troubleOf(digest, facts).findLast((entry) => entry.cause === cause);
  return trouble === undefined ? [] : [{ digest, line: trouble.line }];
}

/** What a log says of the job that was asked about; of any job where none was. */
export function troubleOf(digest: LogDigest, { job }: Facts): readonly Decisive[] {
  return digest.jobTrouble.filter(
    ({ requestId }) => job === null || requestId === null || requestId === job.id,
  );
}
