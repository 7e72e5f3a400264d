/** What a handler is given. */
export interface Call {
  readonly jobId: string;
  /** The job's input as JSON text, byte for byte. */
  readonly input: string;
  /** The same parsed, for the handler's own options; numbers may have lost digits. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly workerId: string;
}

/** What a handler will do with a job, as data: the sandbox lets it come true on its clock. */
export interface Work {
  /** Milliseconds it takes; null never ends: the worker goes silent with the job. */
  readonly ms: number | null;
  /** Yields on the way. */
  readonly chunks?: readonly { readonly atMs: number; readonly json: string }[];
  /** What it reports on the way: `output` while the job is in progress. */
  readonly progress?: readonly { readonly atMs: number; readonly json: string }[];
  /** JSON text; absent leaves the job without one. */
  readonly output?: string;
  /** Ends the job as FAILED with this text. */
  readonly error?: string;
  /** Lines for the container's log beyond the usual ones. */
  readonly lines?: readonly string[];
}

/** A handler: from a call to what it will do. */
export type WorkFor = (call: Call) => Work;

/** A number out of a job's input, or the default where there is none. */
export function numberOption(call: Call, name: string, fallback: number): number {
  const value = call.options[name];
  return typeof value === "number" && value >= 0 ? value : fallback;
}
