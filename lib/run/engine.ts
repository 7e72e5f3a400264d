import type { Billing, BillingQuery } from "../api/billing.ts";
import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { Envelope } from "../api/envelope.ts";
import type { Health } from "../api/health.ts";
import type { ReleaseList } from "../api/releases.ts";
import type { WorkerList } from "../api/workers.ts";
import type { Document as DiagnosisDocument } from "../diagnose/document.ts";
import { ReadbackError } from "../errors.ts";
import type { LogLine } from "../logs/log-line.ts";
import type { LogOptions } from "../logs/log-options.ts";
import type { WorkerLog } from "../logs/read-worker.ts";
import type { Ops } from "../ops.ts";
import type { CompleteBodyOptions } from "../plan/complete-body.ts";
import type { ShellResult } from "../plan/shell-mutation.ts";
import type { Scope } from "../scopes.ts";
import type { Intervals } from "../wait/wait-for.ts";
import type { Change } from "./change.ts";
import type { DiagnosisOptions } from "./gather-diagnosis.ts";
import type { Job, JobChange, JobResult, PurgeResult } from "./job.ts";

/** What stands behind `Ops`: the steps call it, recipes do not. */
export interface Engine {
  readEndpoint(id: string): Promise<Endpoint>;
  gpuTypes(): Promise<readonly GpuType[]>;
  patch(request: PatchRequest): Promise<Change>;
  assertReadBack(change: Change): Promise<void>;
  health(endpoint: string): Promise<Health>;
  workers(endpoint: string): Promise<WorkerList>;
  releases(endpoint: string): Promise<ReleaseList>;
  billing(query: BillingQuery): Promise<Billing>;
  logs(endpoint: string, options: LogsOptions): Promise<LogsResult>;
  diagnose(given: string, options: DiagnosisOptions): Promise<DiagnosisDocument>;
  status(job: Job): Promise<JobResult>;
  submit(request: SubmitRequest): Promise<Job>;
  changeJob(kind: "cancel" | "retry", job: Job): Promise<JobChange>;
  purge(endpoint: string): Promise<PurgeResult>;
  waitForJob(job: Job, options: JobWaitOptions): Promise<JobResult>;
  waitUntil<T extends object>(request: WaitRequest<T>): Promise<T>;
  stream(job: Job, options: StreamOptions): Promise<StreamResult>;
  shell(request: ShellRequest): Promise<ShellResult>;
}

export interface ShellRequest {
  /** The command line as it is run. */
  readonly command: string;
  /** True for a command that only looks: it runs in a dry run too. */
  readonly looks: boolean;
  /** Runs it, once. @throws shell_failed */
  readonly execute: () => Promise<ShellResult>;
}

export interface LogsOptions extends LogOptions {
  /** Ids of the workers to read. @default all that are up */
  readonly workers?: readonly string[];
  /** How long each may take, in milliseconds. @default 5000 */
  readonly maxWaitMs?: number;
}

export interface LogsResult {
  /** The lines of all workers as they came: in order for each of them. */
  readonly lines: readonly LogLine[];
  /** How the reading of each went. */
  readonly workers: readonly WorkerLog[];
}

export interface SubmitRequest {
  /** Endpoint id. */
  readonly endpoint: string;
  readonly envelope: Envelope;
  /** What proves the submit: a status read of its own, or the wait that follows. */
  readonly proof: "read" | "wait";
}

export interface JobWaitOptions {
  /** How long in all, in milliseconds. @default 300000 */
  readonly budgetMs?: number;
  /** When the budget began, in milliseconds since the Unix epoch by the run's clock. @default now */
  readonly sinceMs?: number;
  /** False polls `/status` only, and never holds at `/status-sync`. @default true */
  readonly hold?: boolean;
  /** How the pauses between reads grow. @default 500 ms, growing by half to 5 s; a hold at `/status-sync` has none */
  readonly intervals?: Intervals;
  /** Ends the wait, the request in flight too, with its own reason; the job goes on. @default never, but with the run */
  readonly signal?: AbortSignal;
  /** Give a job that ended in another way than COMPLETED back instead of failing. @default false */
  readonly allowFailure?: boolean;
}

export interface WaitRequest<T> {
  /** What is waited for, in words: `the queue to drain`. */
  readonly for: string;
  readonly read: () => Promise<T>;
  readonly until: (value: T) => boolean;
  readonly budgetMs: number;
  readonly intervals?: Intervals;
  readonly signal?: AbortSignal;
}

export interface StreamOptions {
  /** Told of every chunk as it comes, as the JSON text the service sent, on one line. */
  readonly onChunk: (text: string) => void;
  /** @default 300000 */
  readonly budgetMs?: number;
}

export interface StreamResult {
  /** Chunks in all. */
  readonly chunks: number;
  /** The job's state at the end. */
  readonly status: string;
  /** The reply that said so, as it came. */
  readonly text: string;
}

export interface PatchRequest extends CompleteBodyOptions {
  /** The step that asks, for messages. */
  readonly step: string;
  /** Endpoint id. */
  readonly endpoint: string;
  readonly body: EndpointPatch;
  /** The change that this one puts back, or null. */
  readonly restores: Change | null;
}

const key: unique symbol = Symbol("engine");

/** What recipes see of a run, without the phantom that carries its scopes. */
export interface BareOps {
  readonly now: () => Date;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
}

/** Makes the context of a run. It may carry every scope: what the recipe may change is checked at each step. */
export function bindOps(bare: BareOps, engine: Engine): Ops<Scope> {
  // The phantom of Ops exists for the compiler alone, so that only a cast can make one.
  return Object.freeze({ ...bare, [key]: engine }) as unknown as Ops<Scope>;
}

/**
 * The engine behind a context.
 *
 * @throws recipe_error - what was given is no context of a run.
 */
export function engineOf(ops: Ops): Engine {
  const engine = (ops as { readonly [key]?: Engine } | null | undefined)?.[key];
  if (engine === undefined)
    throw new ReadbackError("recipe_error", "A step was called without the context that run() receives");
  return engine;
}
