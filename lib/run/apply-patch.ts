import { preparePatch, readEndpoint } from "../api/control.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { parseEndpoint } from "../api/schema.ts";
import type { ReadbackError } from "../errors.ts";
import { readBackDocument } from "../plan/document.ts";
import { driftOf } from "../plan/drift.ts";
import type { PatchMutation } from "../plan/mutation.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import { poolsReordered } from "../plan/verdict.ts";
import { driftError, verdictError } from "./apply-errors.ts";
import { announce, record } from "./record.ts";
import { type ApplyParts, asReadbackError, interruptedError, sendChange } from "./send-change.ts";
import { verify } from "./verify.ts";

/** Applies a change of settings: fresh read, drift check, record, send, fresh reads, verdict. It is never sent twice. */
export async function applyPatch(mutation: PatchMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const skipped = skippedMutation(mutation);
  let before: Endpoint;
  try {
    if (parts.signal.aborted) throw interruptedError();
    before = parseEndpoint(
      (await readEndpoint(parts.client, mutation.endpoint, { signal: parts.signal })).text,
    );
    if (parts.signal.aborted) throw interruptedError();
  } catch (error) {
    return { ...skipped, error: asReadbackError(error) };
  }
  const drift = driftOf(mutation, before);
  if (drift.blocking.length > 0)
    return { ...skipped, before, error: driftError(mutation, before, drift.blocking) };
  try {
    await announce(mutation, before, parts);
  } catch (error) {
    return { ...skipped, before, error: asReadbackError(error) };
  }
  const prepared = preparePatch(parts.client.target, mutation.endpoint, mutation.request.body);
  const sent = await sendChange(mutation, prepared, parts);
  const base = { ...skipped, before, movedSincePlan: drift.other };
  if (sent.refused) return { ...base, ...(await refusedOrNot(mutation, before, sent.refused, parts)) };
  return { ...base, ...(await prove(mutation, before, sent.lost, parts)) };
}

/** An answer is no proof, a refusal neither: one fresh read tells whether the change is in effect all the same. */
async function refusedOrNot(
  mutation: PatchMutation,
  before: Endpoint,
  refused: ReadbackError,
  parts: ApplyParts,
): Promise<Partial<AppliedMutation>> {
  const { readBack, after } = await verify(mutation, before, { ...parts, hurry: AbortSignal.abort() });
  if (readBack.verdict !== "verified") return { status: "failed", error: refused };
  await record({ event: "verified", n: mutation.n, readBack: readBackDocument(readBack) }, parts);
  parts.emit({ type: "verified", n: mutation.n, readBack });
  const note = `the answer was a refusal (${refused.message}), but the change is in effect`;
  return { status: "applied", after, readBack, notes: [note] };
}

async function prove(
  mutation: PatchMutation,
  before: Endpoint,
  lost: ReadbackError | null,
  parts: ApplyParts,
): Promise<Pick<AppliedMutation, "status" | "after" | "readBack" | "error" | "notes">> {
  const { readBack, after } = await verify(mutation, before, { ...parts, hurry: parts.signal });
  await record({ event: "verified", n: mutation.n, readBack: readBackDocument(readBack) }, parts);
  parts.emit({ type: "verified", n: mutation.n, readBack });
  const inEffect = readBack.verdict === "verified" || readBack.verdict === "other_fields_changed";
  const notes = [
    ...(lost && inEffect ? [`no good answer came (${lost.message}), but the change is in effect`] : []),
    ...(after && poolsReordered(mutation.request.body, after)
      ? ["gpu.pools holds the same pools in another order, which may be a priority"]
      : []),
  ];
  const failed = readBack.verdict === "not_applied" && lost === null;
  const status = inEffect ? "applied" : failed ? "failed" : "unknown";
  return { status, after, readBack, notes, error: verdictError(mutation, before, readBack, lost) };
}
