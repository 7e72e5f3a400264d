import type { Availability } from "../../api/catalog.ts";
import type { EndpointPatch } from "../../api/endpoint.ts";
import type { FleetSettings } from "../fleet/fleet.ts";

/** A starting world, as data: how it differs from the healthy one. */
export interface Scenario {
  readonly name: string;
  /** One sentence, for the list of scenarios. */
  readonly summary: string;
  /** By endpoint id: what is otherwise than in the healthy world. */
  readonly changes: Readonly<Record<string, EndpointPatch>>;
  /** By endpoint id: how its workers behave. */
  readonly fleets?: Readonly<Record<string, Partial<FleetSettings>>>;
  /** Stock by `TYPE@DATACENTER`. */
  readonly stock?: Readonly<Record<string, Availability>>;
  /** What happened before the start; the sandbox's own rules make the present of it. */
  readonly past?: readonly PastEvent[];
}

/** Something that somebody did, or that went wrong, some time before the start. */
export type PastEvent = { readonly secondsAgo: number; readonly endpoint: string } & (
  | { readonly submit: Readonly<Record<string, unknown>>; readonly jobs?: number }
  | { readonly patch: EndpointPatch }
  | { readonly leavesThrottledRecord: true }
);
