import type { Endpoint } from "../api/endpoint.ts";

const mark: unique symbol = Symbol.for("readback.predicted") as never;

/** Marks an endpoint as what it will read like, so that nobody takes it for a read. The mark is in no document. */
export function markPredicted(endpoint: Endpoint): Endpoint {
  return Object.defineProperty({ ...endpoint }, mark, { value: true, enumerable: false });
}

/** True when a read of a dry run shows what a planned change will make of the endpoint, and not what it is. */
export function isPredicted(endpoint: Endpoint): boolean {
  return (endpoint as { [mark]?: boolean })[mark] === true;
}
