import type { ReadBack } from "../plan/verdict.ts";

/** What happens during a run, for whoever shows it; the library itself never prints. */
export type RunEvent =
  /** Something worth a line. */
  | { readonly type: "note"; readonly text: string }
  /** A change is about to leave. */
  | { readonly type: "sent"; readonly n: number; readonly endpoint: string | null; readonly summary: string }
  /** The service answered a change; that is no proof yet. */
  | { readonly type: "answered"; readonly n: number; readonly status: number }
  /** Fresh reads gave a verdict. */
  | { readonly type: "verified"; readonly n: number; readonly readBack: ReadBack };
