import { parseHealth } from "../api/health.ts";
import { health } from "../api/invoke.ts";
import { readRemoved } from "../api/job-text.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { proofRead, proveJob } from "./prove-job.ts";
import { announce } from "./record.ts";
import { type ApplyParts, asReadbackError, sendChange } from "./send-change.ts";

/** Purges a queue, once: running jobs go on, and what is left afterwards is reported, never purged again. */
export async function applyPurge(mutation: JobMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const base = { ...skippedMutation(mutation), before: mutation.before };
  try {
    await announce(mutation, mutation.before, parts);
  } catch (error) {
    return { ...base, error: asReadbackError(error) };
  }
  const sent = await sendChange(mutation, mutation.prepared, parts);
  if (sent.refused) return { ...base, status: "failed", error: sent.refused };
  const { found, result } = await proveJob<Queue>(mutation, parts, {
    lost: sent.lost,
    read: () => queueOf(mutation, parts),
    path: "jobs.inQueue",
    expected: 0,
    actual: ({ inQueue }) => inQueue ?? "unknown",
    holds: ({ inQueue }) => inQueue === 0,
    because: ({ inQueue }) =>
      `${inQueue ?? "an unknown number of"} in queue now (submitted since, or not settled yet)`,
    otherwise: "unverifiable",
  });
  const removed = sent.reply === null ? null : readRemoved(sent.reply.text);
  const purged = { removed, left: found?.inQueue ?? null, running: found?.inProgress ?? null };
  return { ...base, ...result, purged, notes: [summary(purged)] };
}

interface Queue {
  readonly inQueue: number | null;
  readonly inProgress: number | null;
}

async function queueOf({ endpoint }: JobMutation, parts: ApplyParts): Promise<Queue> {
  const { jobs } = parseHealth((await health(parts.client, endpoint, proofRead(parts))).text);
  return { inQueue: jobs.inQueue ?? null, inProgress: jobs.inProgress ?? null };
}

function summary({ removed, left, running }: NonNullable<AppliedMutation["purged"]>): string {
  const say = (n: number | null): string => (n === null ? "unknown" : `${n}`);
  return `removed ${say(removed)}; left in queue ${say(left)}; running ${say(running)}`;
}
