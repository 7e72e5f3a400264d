import type { ChangeClient, Reply } from "../api/client.ts";
import type { Gate, PreparedChange } from "../api/gate.ts";
import type { Clock } from "../clock.ts";
import { errorDocument, ReadbackError } from "../errors.ts";
import { doing } from "../plan/doing.ts";
import type { Mutation } from "../plan/mutation.ts";
import type { Pace } from "./pace.ts";
import { type Recorder, record } from "./record.ts";

/** What applying a change needs. */
export interface ApplyParts extends Recorder {
  readonly client: ChangeClient;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Aborted when the person interrupts: nothing new is started, and only a change in flight is seen to its end. */
  readonly signal: AbortSignal;
  /** Keeps cancels within what the service takes. */
  readonly cancelPace: Pace;
  /** As in the run's context. */
  readonly cancelReadMs?: number | undefined;
  /** Ends the call in flight, whose outcome is then unknown. @default never */
  readonly patience?: AbortSignal;
}

/** What came of sending a change once. */
export interface Sent {
  /** The answer; it is no proof. */
  readonly reply: Reply | null;
  /** The service refused it: it is not in effect. */
  readonly refused: ReadbackError | null;
  /** No answer tells whether it arrived. */
  readonly lost: ReadbackError | null;
}

/** Sends a change under a permit of its own, and writes down what was answered. */
export async function sendChange(
  mutation: Exclude<Mutation, { readonly kind: "shell" }>,
  prepared: PreparedChange,
  parts: ApplyParts,
): Promise<Sent> {
  const { n } = mutation;
  try {
    const permit = parts.gate.permit(prepared, { restore: mutation.restores !== null });
    const patience = parts.patience === undefined ? {} : { signal: parts.patience };
    const options = { ...patience, pauseSignal: parts.signal, what: doing(mutation) };
    const reply = await parts.client.change(prepared, permit, options);
    await record({ event: "answered", n, status: reply.status }, parts);
    parts.emit({ type: "answered", n, status: reply.status });
    return { reply, refused: null, lost: null };
  } catch (thrown) {
    const error = asReadbackError(thrown);
    await record({ event: "answered", n, status: error.status, error: errorDocument(error) }, parts);
    // What cannot be classified counts as may-have-arrived.
    const mayHaveArrived = thrown !== error || error.details["submitted"] === "unknown";
    return { reply: null, refused: mayHaveArrived ? null : error, lost: mayHaveArrived ? error : null };
  }
}

/** The error of a person's interrupt. */
export function interruptedError(): ReadbackError {
  return new ReadbackError("interrupted", "Interrupted: nothing further was sent");
}

/** Any error as one of ours; the original is kept as its cause. */
export function asReadbackError(error: unknown): ReadbackError {
  if (error instanceof ReadbackError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ReadbackError("api_error", message, { cause: error });
}
