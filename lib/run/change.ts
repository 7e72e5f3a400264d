import type { Endpoint } from "../api/endpoint.ts";
import type { Mutation } from "../plan/mutation.ts";

/** What `patch` gives: a change, planned or found to be needless. `assertReadBack` and `restoring` take it. */
export interface Change {
  /** Endpoint id. */
  readonly endpoint: string;
  /** The endpoint as read before the change. */
  readonly before: Endpoint;
  /** The planned mutation; null when the endpoint already reads as asked. */
  readonly mutation: Mutation | null;
}
