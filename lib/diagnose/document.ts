import type { ErrorCode } from "../errors.ts";
import type { Diagnosis } from "./diagnose.ts";
import type { Counts } from "./facts.ts";
import type { Failed, Read, Reads } from "./reads.ts";

/** `readback/diagnosis@1` (docs/json.md). */
export function diagnosisDocument({ verdict, findings, ruledOut, unsettled, facts }: Diagnosis): Document {
  const { endpoint, reads, trend, waiting, inProgress } = facts;
  const { id, name, type = null } = endpoint;
  return {
    schema: "readback/diagnosis@1",
    endpoint: { id, name, type },
    verdict,
    findings,
    ruledOut,
    reads: readEntries(reads),
    unsettled,
    queue: { inQueue: null, ...facts.health?.jobs, waiting, inProgress, trend },
    workers: { ...facts.counts, max: endpoint.workers.max },
  };
}

export interface Document extends Pick<Diagnosis, "verdict" | "findings" | "ruledOut" | "unsettled"> {
  readonly schema: "readback/diagnosis@1";
  readonly endpoint: { readonly id: string; readonly name: string; readonly type: string | null };
  readonly reads: readonly ReadEntry[];
  readonly queue: {
    /** As health has it; null where it has none. */
    readonly inQueue: number | null;
    /** With the job that was asked about, where health does not show it. */
    readonly waiting: number;
    readonly inProgress: number;
    /** Since the service began to count. */
    readonly completed?: number;
    readonly failed?: number;
    readonly retried?: number;
    readonly trend: string;
  };
  /** Of the list of workers, by status. */
  readonly workers: Counts & { readonly max: number };
}

export interface ReadEntry {
  readonly read: string;
  readonly worker?: string;
  readonly ok: boolean;
  readonly at: string;
  /** Of a failed read: HTTP status or null, code, and what it said. */
  readonly status?: number | null;
  readonly code?: ErrorCode;
  readonly error?: string;
}

/** True for a value that is this document, such as what the recipe returned. */
export function isDiagnosis(value: unknown): value is Document {
  return (value as { schema?: unknown } | null | undefined)?.schema === "readback/diagnosis@1";
}

/** The failed read that left the verdict open; null where none did. */
export function decidingFailure({ verdict, reads, unsettled }: Document): ReadEntry | null {
  if (verdict !== "unclear") return null;
  const failed = reads.filter(({ ok }) => !ok);
  return (
    failed.find(({ worker }) =>
      unsettled.some(({ read }) => worker !== undefined && read.includes(worker)),
    ) ??
    failed.find(
      ({ read }) => read === "gpuTypes" && unsettled.some(({ command }) => command === "readback gpus"),
    ) ??
    null
  );
}

/** In the order in which they were made; of two health samples the first is `earlierHealth`. */
function readEntries(reads: Reads): readonly ReadEntry[] {
  const [first, second] = reads.health;
  const health =
    second === undefined
      ? [["health", first]]
      : [
          ["earlierHealth", first],
          ["health", second],
        ];
  const single: readonly (readonly [string, Read<unknown> | null | undefined])[] = [
    ["endpoint", reads.endpoint],
    ...(health as [string, Read<unknown> | undefined][]),
    ["workers", reads.workers],
    ["job", reads.job],
    ["gpuTypes", reads.catalog],
    ["releases", reads.releases],
    ["billing", reads.billing],
    ["endpoints", reads.endpoints],
  ];
  return [
    ...single.flatMap(([read, done]) => (done ? [entryOf(read, done)] : [])),
    ...reads.logs.map(({ worker, read }) => ({ ...entryOf("logs", read), worker })),
  ];
}

function entryOf(read: string, done: Read<unknown>): ReadEntry {
  return done.ok ? { read, ok: true, at: done.at } : { read, ok: false, at: done.at, ...failureOf(done) };
}

function failureOf({ status, code, error }: Failed): Pick<ReadEntry, "status" | "code" | "error"> {
  return { status, code, error };
}
