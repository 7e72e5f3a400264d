import { readStatus } from "../api/invoke.ts";
import { readJobState } from "../api/job-text.ts";
import { PayloadError } from "../api/payload-error.ts";
import type { ReadbackError } from "../errors.ts";
import type { JobMutation } from "../plan/job-mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { proveJob } from "./prove-job.ts";
import { announce } from "./record.ts";
import { type ApplyParts, asReadbackError, sendChange } from "./send-change.ts";

/** Submits a job. Its id is taken once, from the answer; a submit without an answer is never repeated. */
export async function applyRun(mutation: JobMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const base = { ...skippedMutation(mutation), before: mutation.before };
  try {
    await announce(mutation, mutation.before, parts);
  } catch (error) {
    return { ...base, error: asReadbackError(error) };
  }
  const sent = await sendChange(mutation, mutation.prepared, parts);
  if (sent.refused) return { ...base, status: "failed", error: sent.refused };
  if (sent.reply === null) return { ...base, status: "unknown", error: sent.lost };
  const id = readJobState(sent.reply)?.id ?? null;
  const job = { id, text: sent.reply };
  if (id === null) return { ...base, status: "unknown", job, error: noId(mutation, sent.reply) };
  if (mutation.proof === "wait") return { ...base, status: "applied", job };
  const { result } = await proveJob<string | null>(mutation, parts, {
    read: async () => readJobState((await readStatus(parts.client, mutation.endpoint, id, { attempts: 1 })).text)?.status ?? null,
    path: "job.status",
    expected: "IN_QUEUE",
    holds: (status) => status !== null,
    because: () => `job ${id} reads back without a status`,
  });
  return { ...base, ...result, job };
}

function noId({ before }: JobMutation, payload: string): ReadbackError {
  return new PayloadError(
    "api_error",
    `The submit to ${before.name} (${before.id}) was answered without a job id: a job may run and bill, and cannot be polled`,
    { payload, details: { endpoint: before.id, submitted: "unknown" }, followUp: `readback serverless health ${before.id}` },
  );
}
