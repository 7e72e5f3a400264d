import type { Endpoint } from "../api/endpoint.ts";
import type { PreparedChange } from "../api/gate.ts";
import type { Scope } from "../scopes.ts";
import type { Effect } from "./effects.ts";
import type { FieldChange } from "./fields.ts";
import type { MutationBase } from "./mutation.ts";

export type JobKind = "run" | "cancel" | "retry" | "purge";

/** A change of an endpoint's jobs: a submit, a cancel, a retry, or a purge of the queue. */
export interface JobMutation extends MutationBase {
  readonly kind: JobKind;
  readonly endpoint: string;
  readonly before: Endpoint;
  /** The request as documents show it; `body` is null without one, and S3 keys in it are masked. */
  readonly request: { readonly method: "POST"; readonly url: string; readonly body: unknown };
  /** The same as it is sent, byte for byte. */
  readonly prepared: PreparedChange;
  /** What proves it: a read of its own, or the wait that follows. */
  readonly proof: "read" | "wait";
  /** What a person gave for it that must stand in no text. */
  readonly hidden: readonly string[];
  /** The job it is about; null for a submit and a purge. */
  readonly job: string | null;
}

export interface JobFacts {
  readonly n: number;
  readonly before: Endpoint;
  readonly prepared: PreparedChange;
  readonly proof: "read" | "wait";
  /** The body as a document, with S3 keys masked. */
  readonly body: unknown;
  /** @default none */
  readonly hidden?: readonly string[];
  readonly job: string | null;
  /** The job's state as read before, for a cancel and a retry. */
  readonly status: string | null;
  /** The queue as read before; null where health could not be read. */
  readonly queue: { readonly inQueue: number; readonly inProgress: number } | null;
}

/** Makes the mutation of a submit, a cancel, a retry or a purge. */
export function jobMutation(kind: JobKind, facts: JobFacts): JobMutation {
  const { n, before, prepared, proof, body, job } = facts;
  const scope: Scope = kind;
  return {
    kind,
    n,
    scopes: [scope],
    endpoint: before.id,
    summary: summaryOf(kind, facts),
    request: { method: "POST", url: prepared.url, body },
    prepared,
    proof,
    hidden: facts.hidden ?? [],
    before,
    diff: diffOf(kind, facts),
    effects: effectsOf(kind, facts),
    cost: null,
    undo: { possible: false, why: WHY_NOT[kind] },
    restores: null,
    job,
  };
}

const WHY_NOT: Readonly<Record<JobKind, string>> = {
  run: "a submitted job is cancelled, not undone",
  cancel: "a cancelled job is submitted anew, not resumed",
  retry: "the job's earlier output is gone with the retry",
  purge: "purged jobs are gone",
};

function summaryOf(kind: JobKind, { before, job, queue }: JobFacts): string {
  if (kind === "run") return `Submit 1 job to ${before.name}`;
  if (kind === "cancel") return `Cancel job ${job}`;
  if (kind === "retry") return `Retry job ${job}`;
  return `Purge the queue of ${before.name}${queue === null ? "" : ` (${queue.inQueue} pending)`}`;
}

function diffOf(kind: JobKind, { status, queue }: JobFacts): readonly FieldChange[] {
  if (kind === "run") return [{ path: "job.status", before: null, after: "IN_QUEUE" }];
  if (kind === "purge") return [{ path: "jobs.inQueue", before: queue?.inQueue ?? null, after: 0 }];
  return [{ path: "job.status", before: status, after: kind === "cancel" ? "CANCELLED" : "IN_QUEUE" }];
}

function effectsOf(kind: JobKind, { queue }: JobFacts): readonly Effect[] {
  if (kind === "run")
    return [
      {
        code: "bills_a_job",
        level: "info",
        text: "the job bills its worker's time, whether it succeeds or not",
      },
    ];
  if (kind === "retry")
    return [
      {
        code: "bills_a_job",
        level: "warn",
        text: "the job runs and bills again, and its earlier output is lost",
      },
    ];
  if (kind === "purge") return [{ code: "purges_all_pending", level: "warn", text: purgeText(queue) }];
  return [];
}

function purgeText(queue: JobFacts["queue"]): string {
  const pending =
    queue === null ? "every pending job (how many could not be read)" : `all ${queue.inQueue} pending jobs`;
  const running = queue === null ? "running jobs go on" : `${queue.inProgress} running go on`;
  return `clears ${pending}, not only bad ones; ${running}`;
}
