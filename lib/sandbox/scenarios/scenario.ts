import type { EndpointPatch } from "../../api/endpoint.ts";

/** A starting world, as data: how it differs from the healthy one. */
export interface Scenario {
  readonly name: string;
  /** One sentence, for the list of scenarios. */
  readonly summary: string;
  /** By endpoint id: what is otherwise than in the healthy world. */
  readonly changes: Readonly<Record<string, EndpointPatch>>;
}
