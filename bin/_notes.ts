import { environment } from "../lib/config.ts";
import type { Report } from "./_report.ts";

/** Lines for stderr, in order; its way is opened only when there is something to tell. */
export function notesOf(): (text: string) => void {
  let last: Promise<Report> | null = null;
  return (text) => {
    last = (last ?? open()).then((report) => {
      report.note(text);
      return report;
    });
  };
}

async function open(): Promise<Report> {
  const { openReport } = await import("./_report.ts");
  return await openReport(environment());
}
