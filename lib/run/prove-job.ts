import type { CallOptions, LookClient } from "../api/client.ts";
import { ReadbackError } from "../errors.ts";
import { readBackDocument } from "../plan/document.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import type { AppliedMutation } from "../plan/result.ts";
import type { ReadBack, Verdict } from "../plan/verdict.ts";
import { record } from "./record.ts";
import { type ApplyParts, asReadbackError } from "./send-change.ts";

/** Waits before each fresh read after a change of a job or queue, in milliseconds: counts settle 1 to 3 s late (runpod-api.md 3.9). */
export const JOB_READ_DELAYS_MS: readonly number[] = [0, 500, 1000, 2000, 4000];

/** How long one read of a proof may take, in milliseconds, where `--timeout` does not say less. */
const PROOF_READ_MS = 5_000;

/** One read of a proof: the loop here is the only thing that repeats it, and a hanging one must not hold it up. */
export function proofRead({ client }: { readonly client: LookClient }): Omit<CallOptions, "what"> {
  const timeoutMs = Math.min(PROOF_READ_MS, client.target.timeoutMs);
  return { attempts: 1, timeoutMs, maxRateWaitMs: PROOF_READ_MS };
}

export interface JobProof<T> {
  /** The change got no answer, so that it may still arrive: the error of that. @default it was answered */
  readonly lost?: ReadbackError | null;
  /** One fresh read. */
  readonly read: () => Promise<T>;
  /** How many reads at most. @default all of the delays */
  readonly most?: number;
  readonly path: string;
  readonly expected: unknown;
  /** What of a read stands at `path`. @default the read itself */
  readonly actual?: (found: T) => unknown;
  /** True once the read proves the change. */
  readonly holds: (found: T) => boolean;
  /** True once more reads cannot help. @default never */
  readonly final?: (found: T) => boolean;
  /** The verdict of a last read that does not prove it. @default not_applied */
  readonly otherwise?: Verdict;
  /** Continues the error, from the last read: `already was COMPLETED`. */
  readonly because: (found: T) => string;
}

export interface Proved<T> {
  readonly result: Pick<AppliedMutation, "status" | "readBack" | "error">;
  /** The last fresh read; null when none succeeded. */
  readonly found: T | null;
}

/** Reads afresh until a job's or queue's change is proved or the bound is reached. */
export async function proveJob<T>(
  mutation: JobMutation,
  parts: ApplyParts,
  proof: JobProof<T>,
): Promise<Proved<T>> {
  const lost = proof.lost ?? null;
  let found: T | null = null;
  let failure: ReadbackError | null = null;
  let reads = 0;
  for (const delayMs of JOB_READ_DELAYS_MS.slice(0, proof.most)) {
    if (delayMs > 0 && parts.signal.aborted) break;
    if (delayMs > 0) await parts.clock.sleep(delayMs, parts.signal).catch(() => {});
    reads += 1;
    try {
      found = await proof.read();
      if (proof.holds(found) || proof.final?.(found)) break;
    } catch (error) {
      failure = asReadbackError(error);
    }
  }
  const verdict = found === null ? "unverifiable" : verdictOf(found, proof);
  const fields =
    found === null
      ? []
      : [{ path: proof.path, expected: proof.expected, actual: proof.actual?.(found) ?? found }];
  const readBack: ReadBack = { verdict, fields, otherFields: [], by: null, reads };
  await record({ event: "verified", n: mutation.n, readBack: readBackDocument(readBack) }, parts);
  parts.emit({ type: "verified", n: mutation.n, readBack });
  const why =
    found === null ? `no fresh read succeeded: ${failure?.message ?? "none was made"}` : proof.because(found);
  const error = verdict === "verified" ? null : errorOf(mutation, verdict, { why, lost });
  return { found, result: { status: statusOf(verdict), readBack, error } };
}

/** What got no answer may still arrive, as long as reads can change. */
function verdictOf<T>(found: T, { holds, final, lost, otherwise }: JobProof<T>): Verdict {
  if (holds(found)) return "verified";
  return lost && !final?.(found) ? "unverifiable" : (otherwise ?? "not_applied");
}

function statusOf(verdict: Verdict): AppliedMutation["status"] {
  if (verdict === "verified") return "applied";
  return verdict === "not_applied" ? "failed" : "unknown";
}

function errorOf(
  { before, job, summary }: JobMutation,
  verdict: Verdict,
  { why, lost }: { why: string; lost: ReadbackError | null },
): ReadbackError {
  const open = lost !== null && verdict === "unverifiable";
  const answer = open
    ? ` (no good answer came: ${lost.message}); it may still arrive: do not send it again`
    : "";
  const follow =
    job === null
      ? `readback serverless health ${before.id}`
      : `readback serverless status ${before.id} ${job}`;
  return new ReadbackError(
    verdict === "verified" ? "unverifiable" : verdict,
    `${summary} on ${before.name} (${before.id}): ${why}${answer}`,
    {
      followUp: follow,
      details: {
        endpoint: before.id,
        ...(job === null ? {} : { jobId: job }),
        verdict,
        ...(open ? { submitted: "unknown" } : {}),
      },
    },
  );
}
