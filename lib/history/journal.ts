/** The write-ahead record of one run: each line is on disk before what it announces happens. */
export interface Journal {
  /** Adds one line and waits until it is on disk. @throws usage_error when it cannot be written */
  append(event: JournalEvent): Promise<void>;
  close(): Promise<void>;
}

/** One line of a run's record. Values of env, tokens and keys are masked before they come here. */
export type JournalEvent =
  | { readonly event: "planned"; readonly plan: unknown }
  | { readonly event: "sent"; readonly n: number; readonly request: unknown; readonly before: unknown }
  | {
      readonly event: "answered";
      readonly n: number;
      readonly status: number | null;
      readonly error?: unknown;
    }
  | { readonly event: "verified"; readonly n: number; readonly readBack: unknown }
  | {
      readonly event: "finished";
      readonly outcome: string;
      readonly applied: unknown;
      readonly error: unknown;
    };
