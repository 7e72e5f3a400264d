import type { Endpoint } from "../api/endpoint.ts";
import type { ReadbackError } from "../errors.ts";
import type { ReadBack } from "../plan/verdict.ts";

/** What happens during a run, for whoever shows it; the library itself never prints. */
export type RunEvent =
  /** Something worth a line. */
  | { readonly type: "note"; readonly text: string }
  /** A step was called after the recipe had returned: it was refused, and nobody else may tell. */
  | { readonly type: "late"; readonly error: ReadbackError }
  /** The run has an id and a record. */
  | { readonly type: "started"; readonly runId: string }
  /** An endpoint was read: its values of env must not come out in what is told. */
  | { readonly type: "read"; readonly endpoint: Endpoint }
  /** A change is about to leave. */
  | { readonly type: "sent"; readonly n: number; readonly endpoint: string | null; readonly summary: string }
  /** The service answered a change; that is no proof yet. */
  | { readonly type: "answered"; readonly n: number; readonly status: number }
  /** Fresh reads gave a verdict. */
  | { readonly type: "verified"; readonly n: number; readonly readBack: ReadBack };
