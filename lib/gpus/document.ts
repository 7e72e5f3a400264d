import type { StockFilter, StockRow } from "./stock-list.ts";

export interface GpusFacts {
  /** The control plane's host. */
  readonly host: string;
  /** ISO 8601 UTC. */
  readonly readAt: string;
  readonly filter: StockFilter;
}

/** `readback/gpus@1` (docs/json.md). */
export function gpusDocument(rows: readonly StockRow[], { host, readAt, filter }: GpusFacts): object {
  const { dataCenter = null, minCuda = null } = filter;
  return { schema: "readback/gpus@1", host, readAt, filter: { dataCenter, minCuda }, types: rows };
}
