import type { Endpoint } from "../api/endpoint.ts";
import type { Journal, JournalEvent } from "../history/journal.ts";
import { beforeDocument, requestDocument } from "../plan/document.ts";
import type { Mutation } from "../plan/mutation.ts";
import type { RunEvent } from "./events.ts";

export interface Recorder {
  readonly journal: Journal | null;
  readonly emit: (event: RunEvent) => void;
}

/** Writes down what is about to be sent. @throws usage_error - it could not be written, so it must not be sent */
export async function announce(
  mutation: Mutation,
  before: Endpoint | null,
  recorder: Recorder,
): Promise<void> {
  const { n, endpoint, summary } = mutation;
  const request = requestDocument(mutation);
  const event = {
    event: "sent",
    n,
    request,
    before: before === null ? null : beforeDocument(mutation, before),
  } as const;
  await recorder.journal?.append(event);
  recorder.emit({ type: "sent", n, endpoint, summary });
}

/** Writes down what happened after that: a record that fails must not hide what became of the change. */
export async function record(event: JournalEvent, { journal, emit }: Recorder): Promise<void> {
  try {
    await journal?.append(event);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    emit({ type: "note", text: `the history could not be written: ${why}` });
  }
}
