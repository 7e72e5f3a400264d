import type { EndpointPatch } from "../../api/endpoint.ts";
import type { Fault, SetChange } from "../faults.ts";
import type { InferredRules } from "../rules.ts";
import type { WorldEndpoint } from "../world.ts";
import { applyPatch, DEFAULT_IDLE_TIMEOUT_SECONDS } from "./apply.ts";

/** What faults make of a change that passed all checks. */
export interface PatchTwists {
  /** False: the answer shows the change and nothing is stored. */
  readonly stores: boolean;
  /** The part of the body that takes effect; the answer shows all of it. */
  readonly effective: (body: EndpointPatch) => EndpointPatch;
  /** What happens to other fields. */
  readonly also: (next: WorldEndpoint, body: EndpointPatch) => WorldEndpoint;
  /** How long reads go on showing the state before. */
  readonly hides: { readonly reads: number; readonly ms: number } | null;
}

/** Reads the twists off the faults that hit a request. */
export function patchTwists(faults: readonly Fault[], rules: InferredRules): PatchTwists {
  const partial = faults.find((fault) => fault.kind === "partial-apply");
  const delayed = faults.find((fault) => fault.kind === "delayed-visibility");
  return {
    stores: !faults.some((fault) => fault.kind === "lying-echo"),
    effective: (body) => (partial ? pick(body, partial.only) : body),
    also: (next, body) => faults.reduce((state, fault) => twist(state, body, { fault, rules }), next),
    hides: delayed
      ? { reads: delayed.reads ?? (delayed.ms === undefined ? 1 : 0), ms: delayed.ms ?? 0 }
      : null,
  };
}

/** Lets somebody set something, without the service's checks. */
export function applySet(endpoint: WorldEndpoint, set: SetChange, rules: InferredRules): WorldEndpoint {
  if (typeof set !== "function") return applyPatch(endpoint, set, rules);
  const next = structuredClone(endpoint);
  set(next);
  return next;
}

function twist(
  state: WorldEndpoint,
  body: EndpointPatch,
  { fault, rules }: { fault: Fault; rules: InferredRules },
): WorldEndpoint {
  if (fault.kind === "other-fields-changed") return applySet(state, fault.set, rules);
  if (fault.kind === "reset-workers") return resetWorkers(state, body);
  if (fault.kind === "drop-exclusions" && body.gpu?.pools === undefined) return dropExclusions(state);
  return state;
}

/** Everything about workers and scaling that the body did not name goes back to a default. */
function resetWorkers(state: WorldEndpoint, { workers, scaling }: EndpointPatch): WorldEndpoint {
  const defaults = { max: 3, idleTimeout: DEFAULT_IDLE_TIMEOUT_SECONDS };
  const target: WorldEndpoint["scaling"] =
    state.scaling.type === "QUEUE_DELAY"
      ? { type: "QUEUE_DELAY", queueDelay: 4 }
      : { type: "REQUEST_COUNT", requestCount: 4 };
  return {
    ...state,
    workers: { ...state.workers, ...defaults, ...workers },
    scaling: scaling ?? target,
  };
}

function dropExclusions(state: WorldEndpoint): WorldEndpoint {
  return state.gpu === null ? state : { ...state, gpu: { ...state.gpu, excludedTypes: [] } };
}

/** The named fields of a body; a name is `workers` or, one level down, `workers.max`. */
function pick(body: EndpointPatch, only: readonly string[]): EndpointPatch {
  const kept: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(body)) {
    const parts = only
      .filter((name) => name.startsWith(`${field}.`))
      .map((name) => name.slice(field.length + 1));
    if (only.includes(field)) kept[field] = value;
    else if (parts.length > 0) {
      kept[field] = Object.fromEntries(Object.entries(value).filter(([key]) => parts.includes(key)));
    }
  }
  return kept;
}
