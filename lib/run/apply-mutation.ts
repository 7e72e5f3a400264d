import type { ChangeClient } from "../api/client.ts";
import { preparePatch, readEndpoint } from "../api/control.ts";
import type { Endpoint } from "../api/endpoint.ts";
import type { Gate } from "../api/gate.ts";
import { parseEndpoint } from "../api/schema.ts";
import type { Clock } from "../clock.ts";
import { errorDocument, ReadbackError } from "../errors.ts";
import { readBackDocument } from "../plan/document.ts";
import { driftOf } from "../plan/drift.ts";
import type { Mutation } from "../plan/mutation.ts";
import type { AppliedMutation } from "../plan/result.ts";
import { poolsReordered } from "../plan/verdict.ts";
import { driftError, verdictError } from "./apply-errors.ts";
import { announce, type Recorder, record } from "./record.ts";
import { verify } from "./verify.ts";

export interface ApplyParts extends Recorder {
  readonly client: ChangeClient;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Aborted when the person interrupts: nothing new is started, what is in flight is seen to its end. */
  readonly signal: AbortSignal;
}

/** Sends one planned change: fresh read, drift check, record, send, fresh reads, verdict. It never sends it twice. */
export async function applyMutation(mutation: Mutation, parts: ApplyParts): Promise<AppliedMutation> {
  const skipped = skippedMutation(mutation);
  let before: Endpoint;
  try {
    if (parts.signal.aborted) throw interruptedError();
    before = parseEndpoint((await readEndpoint(parts.client, mutation.endpoint)).text);
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
  const sent = await send(mutation, parts);
  const base = { ...skipped, before, movedSincePlan: drift.other };
  if (sent.refused) return { ...base, status: "failed", error: sent.refused };
  return { ...base, ...(await prove(mutation, before, sent.lost, parts)) };
}

/** A mutation that was not sent. */
export function skippedMutation(mutation: Mutation): AppliedMutation {
  return {
    mutation,
    status: "skipped",
    before: null,
    after: null,
    readBack: null,
    movedSincePlan: [],
    error: null,
    notes: [],
  };
}

interface Sent {
  /** The service refused it: it is not in effect. */
  readonly refused: ReadbackError | null;
  /** No answer tells whether it arrived. */
  readonly lost: ReadbackError | null;
}

async function send(mutation: Mutation, parts: ApplyParts): Promise<Sent> {
  const { n, endpoint, request } = mutation;
  const prepared = preparePatch(parts.client.target, endpoint, request.body);
  try {
    const permit = parts.gate.permit(prepared, { restore: mutation.restores !== null });
    const { status } = await parts.client.change(prepared, permit);
    await record({ event: "answered", n, status }, parts);
    parts.emit({ type: "answered", n, status });
    return { refused: null, lost: null };
  } catch (thrown) {
    const error = asReadbackError(thrown);
    await record({ event: "answered", n, status: error.status, error: errorDocument(error) }, parts);
    // What cannot be classified counts as may-have-arrived.
    const mayHaveArrived = thrown !== error || error.details["submitted"] === "unknown";
    return mayHaveArrived ? { refused: null, lost: error } : { refused: error, lost: null };
  }
}

async function prove(
  mutation: Mutation,
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

/** The error of a person's interrupt. */
export function interruptedError(): ReadbackError {
  return new ReadbackError("interrupted", "Interrupted: nothing further was sent");
}

function asReadbackError(error: unknown): ReadbackError {
  if (error instanceof ReadbackError) return error;
  return new ReadbackError("api_error", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
