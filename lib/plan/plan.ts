import type { Endpoint } from "../api/endpoint.ts";
import type { Scope } from "../scopes.ts";
import type { Mutation } from "./mutation.ts";

/** The mutations that a recipe would make now, as a value. `planDocument` gives its machine form. */
export interface Plan {
  readonly recipe: {
    readonly name: string;
    /** `built-in`, or the path as given. */
    readonly source: string;
    /** `sha256:…` of the recipe's file. */
    readonly digest: string;
  };
  readonly args: Readonly<Record<string, unknown>>;
  readonly declares: readonly Scope[];
  /** The control plane's host, which `undo` and `apply` hold on to. */
  readonly host: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** The endpoints that the recipe read, as first read. */
  readonly endpoints: readonly PlannedEndpoint[];
  readonly mutations: readonly Mutation[];
  /** What an apply will wait for. */
  readonly waits: readonly PlannedWait[];
  /** False when the rest depends on a value that only an apply can know; `unknown` names it. */
  readonly complete: boolean;
  readonly unknown: Unknown | null;
  /** Endpoint id → its queue and workers now, for the endpoints that would be changed. */
  readonly now: ReadonlyMap<string, NowLine | null>;
  /** Declared and not reached. */
  readonly unusedScopes: readonly Scope[];
  /** GET requests made for this plan. */
  readonly reads: number;
  /** What the recipe returned. */
  readonly value: unknown;
}

export interface PlannedWait {
  /** What for, in words. */
  readonly for: string;
  readonly budgetMs: number;
  /** Whether it was there already when the plan looked. */
  readonly nowSatisfied: boolean;
}

/** An endpoint's queue and workers as the plan last read them; null where they could not be read. */
export interface NowLine {
  readonly inQueue: number | null;
  readonly inProgress: number | null;
  readonly idle: number | null;
}

/** Where a plan ends because a value is known only after applying. */
export interface Unknown {
  readonly step: string;
  readonly text: string;
  /** Declared scopes of which changes may still follow. */
  readonly remainingScopes: readonly Scope[];
}

export interface PlannedEndpoint {
  readonly endpoint: Endpoint;
  /** `sha256:…` of the endpoint's settings, without the values of env. */
  readonly fingerprint: string;
}
