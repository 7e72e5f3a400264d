import { environment } from "../lib/config.ts";
import type { Report } from "./_report.ts";

/** Lines for stderr, in order. */
export interface Notes {
  readonly note: (text: string) => void;
  /** Resolves when all lines so far are out; an error comes after them. */
  told(): Promise<void>;
}

/** Opens the way to stderr only when there is something to tell. */
export function notesOf(): Notes {
  let report: Promise<Report> | null = null;
  let last: Promise<void> = Promise.resolve();
  return {
    note(text) {
      report ??= open();
      const opened = report;
      last = last.then(async () => (await opened).note(text));
    },
    told: () => last,
  };
}

async function open(): Promise<Report> {
  const { openReport } = await import("./_report.ts");
  return await openReport(environment());
}
