import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { Health } from "../api/health.ts";
import type { Scope } from "../scopes.ts";
import { type Cost, costOf } from "./cost.ts";
import { type Effect, effectsOf } from "./effects.ts";
import { changedFields, type FieldChange } from "./fields.ts";
import type { JobMutation } from "./job-mutation.ts";
import { overlay } from "./overlay.ts";
import type { ShellMutation } from "./shell-mutation.ts";
import { stockOf } from "./stock.ts";
import { summaryOf } from "./summary.ts";
import { isWithin } from "./targets.ts";
import { type Undo, undoOf } from "./undo-body.ts";

/** One concrete change: request, field diff, effects, cost, undo. */
export type Mutation = PatchMutation | JobMutation | ShellMutation;

/** What every change has, whatever it changes. */
export interface MutationBase {
  /** 1 for the first change of the plan. */
  readonly n: number;
  readonly scopes: readonly Scope[];
  /** Endpoint id; null for a shell command. */
  readonly endpoint: string | null;
  readonly summary: string;
  /** The endpoint as it will be right before this change, as far as the plan can know. */
  readonly before: Endpoint | null;
  readonly diff: readonly FieldChange[];
  readonly effects: readonly Effect[];
  readonly cost: Cost | null;
  readonly undo: Undo;
  /** The number of the change that this one puts back, or null. Such a change also runs after a failure. */
  readonly restores: number | null;
}

/** A change of an endpoint's settings. Values of `env` are real here and masked in documents. */
export interface PatchMutation extends MutationBase {
  readonly kind: "patch";
  readonly endpoint: string;
  readonly before: Endpoint;
  /** The exact request: what is shown is what is sent. */
  readonly request: { readonly method: "PATCH"; readonly url: string; readonly body: EndpointPatch };
  /** Paths whose new value only a read can tell. */
  readonly unknown: readonly string[];
  /** The stock of the new GPU selection, in words; null where the change does not touch it. */
  readonly stock: string | null;
}

export interface PatchFacts {
  readonly n: number;
  readonly before: Endpoint;
  readonly url: string;
  readonly body: EndpointPatch;
  readonly namedEnv: readonly string[];
  readonly catalog: readonly GpuType[] | null;
  readonly otherWorkersMax: number | null;
  /** The jobs as read just before, where the change stops all workers; null where they were not read. */
  readonly jobs: Health["jobs"] | null;
  readonly restores: number | null;
}

/** Makes the mutation that a body is, or null when the endpoint already reads as asked. */
export function patchMutation(facts: PatchFacts): PatchMutation | null {
  const { n, before, url, body, catalog, restores } = facts;
  const { endpoint: after, unknown } = overlay(before, body);
  const diff = changedFields(before, after).filter((change) => !isWithin(change.path, unknown));
  if (diff.length === 0 && unknown.length === 0) return null;
  const cost = costOf(before, after, catalog);
  const undo = undoOf(before, body);
  const summary = summaryOf(after, body, { catalog, diff });
  return {
    kind: "patch",
    n,
    scopes: Object.keys(body).map((field): Scope => `patch:${field as keyof EndpointPatch}`),
    endpoint: before.id,
    summary: restores === null ? summary : `Put back: ${summary}`,
    request: { method: "PATCH", url, body },
    before,
    diff,
    unknown,
    effects: effectsOf({ ...facts, after, cost, undo, needsStock: needsStock(before, after, body) }),
    cost: touchesCost(body) ? cost : null,
    stock: needsStock(before, after, body) ? stockOf(after, catalog).text : null,
    undo,
    restores,
  };
}

/** A selection, a place, or more workers than before: they have to be had somewhere. */
export function needsStock(before: Endpoint, after: Endpoint, body: EndpointPatch): boolean {
  const more = after.workers.max > before.workers.max || after.workers.min > before.workers.min;
  return body.gpu !== undefined || body.dataCenterIds !== undefined || (after.gpu != null && more);
}

function touchesCost(body: EndpointPatch): boolean {
  return body.gpu !== undefined || body.workers !== undefined || body.cpu !== undefined;
}
