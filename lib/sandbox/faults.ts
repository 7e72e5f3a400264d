import type { EndpointPatch } from "../api/endpoint.ts";
import type { RecordedRequest } from "./record.ts";
import type { WorldEndpoint } from "./world.ts";

/** A change by other hands: a PATCH body, or a function that writes to the endpoint. */
export type SetChange = EndpointPatch | ((endpoint: WorldEndpoint) => void);

export type RateWindow = "minute" | "hour" | "day";

/** What goes wrong. `docs/sandbox.md` has the table. */
export type FaultKind =
  /** An answer without any effect. `body` an object is JSON, a string is sent as it is. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly contentType?: string;
    }
  /** An HTML page of the edge, without effect. */
  | { readonly kind: "edge-html"; readonly status: 403 | 429 | 502 | 524 }
  /** 429 for a window, without effect. `retryAfter` null leaves the header out. @default seconds to the window's end */
  | { readonly kind: "rate-limit"; readonly window: RateWindow; readonly retryAfter?: string | null }
  /** The answer comes `ms` milliseconds of sandbox time later. */
  | { readonly kind: "latency"; readonly ms: number }
  /** No answer, ever; no effect. */
  | { readonly kind: "hang" }
  /** The connection is reset before anything happened. */
  | { readonly kind: "reset" }
  /** The effect takes place, then the connection is closed without an answer. */
  | { readonly kind: "lost-reply" }
  /** The effect takes place, then the answer is an error. @default status 500 */
  | { readonly kind: "commit-then-500"; readonly status?: number }
  /** The effect takes place; the answer breaks off in the middle of its body. */
  | { readonly kind: "cut-body" }
  /** The answer says another content type, or is other JSON. */
  | { readonly kind: "wrong-type"; readonly contentType?: string; readonly json?: unknown }
  /** The answer of a PATCH shows the change; nothing is changed. */
  | { readonly kind: "lying-echo" }
  /** A PATCH changes something else too. */
  | { readonly kind: "other-fields-changed"; readonly set: SetChange }
  /** Another user changes the endpoint right before or after this request, with a release. @default the one in the path */
  | {
      readonly kind: "concurrent-writer";
      readonly set: SetChange;
      readonly when: "before" | "after";
      readonly endpoint?: string;
      /** @default user_other */
      readonly userId?: string;
      /** False: no release tells of it. @default true */
      readonly release?: boolean;
    }
  /** A PATCH takes effect; the next `reads` GETs, or those of the next `ms`, show the state before. @default 1 read */
  | { readonly kind: "delayed-visibility"; readonly reads?: number; readonly ms?: number }
  /** Of a PATCH only these fields take effect (`workers`, `gpu.pools`); the answer shows all. */
  | { readonly kind: "partial-apply"; readonly only: readonly string[] }
  /** A PATCH resets `workers.max`, the idle timeout and the scaler's target where the body does not name them. */
  | { readonly kind: "reset-workers" }
  /** A PATCH that does not send `gpu.pools` erases the exclusions. */
  | { readonly kind: "drop-exclusions" }
  /** A list shows the first `limit` rows and says nothing of more. */
  | { readonly kind: "list-cap"; readonly limit: number }
  /** A list comes in another order. */
  | { readonly kind: "list-order" }
  /** The answer says otherwise, in parts: objects are merged, `undefined` takes a field away; the effect is as asked. */
  | { readonly kind: "answer-says"; readonly fields: Readonly<Record<string, unknown>> }
  /** A job ends, with its output, right before its cancel arrives; the cancel's answer is CANCELLED all the same. */
  | { readonly kind: "cancel-race" }
  /** Somebody else submits jobs right before or after this request. @default the endpoint in the path */
  | {
      readonly kind: "concurrent-submit";
      readonly jobs: number;
      readonly when: "before" | "after";
      readonly endpoint?: string;
      readonly input?: Readonly<Record<string, unknown>>;
    }
  /** The edge gives up a request that is held for longer than this: 524; what it began goes on. */
  | { readonly kind: "edge-timeout"; readonly afterMs: number }
  /** Objects carry fields that nobody knows. @default { futureField: { enabled: true } } */
  | { readonly kind: "unknown-field"; readonly fields?: Readonly<Record<string, unknown>> };

export interface FaultScope {
  /** A route's name, such as `patchEndpoint`; `*` is every request. */
  readonly route: string;
  /** How many requests it hits. @default all */
  readonly times?: number;
  /** How many matching requests pass first. @default 0 */
  readonly after?: number;
  readonly match?: (request: RecordedRequest) => boolean;
}

export type Fault = FaultScope & FaultKind;

/** A fault at work. */
export interface ActiveFault {
  /** Requests it has hit. */
  readonly fired: number;
  remove(): void;
}

/** What goes wrong in a sandbox, and when. */
export interface Faults {
  /** Adds one. @throws RangeError - there is no such route or kind */
  add(fault: Fault): ActiveFault;
  clear(): void;
  /** The faults that hit a request, counted as having done so. */
  take(route: string, request: RecordedRequest): readonly Fault[];
}

const KINDS: Readonly<Record<FaultKind["kind"], true>> = {
  status: true,
  "edge-html": true,
  "rate-limit": true,
  latency: true,
  hang: true,
  reset: true,
  "lost-reply": true,
  "commit-then-500": true,
  "cut-body": true,
  "wrong-type": true,
  "lying-echo": true,
  "other-fields-changed": true,
  "concurrent-writer": true,
  "delayed-visibility": true,
  "partial-apply": true,
  "reset-workers": true,
  "drop-exclusions": true,
  "list-cap": true,
  "list-order": true,
  "answer-says": true,
  "cancel-race": true,
  "concurrent-submit": true,
  "edge-timeout": true,
  "unknown-field": true,
};

/** An empty set of faults over the named routes. */
export function createFaults(routes: readonly string[]): Faults {
  const active = new Set<{ fault: Fault; seen: number; fired: number }>();
  return {
    add(fault) {
      assertNamed("route", fault.route, [...routes, "*"]);
      assertNamed("kind", fault.kind, Object.keys(KINDS));
      const entry = { fault, seen: 0, fired: 0 };
      active.add(entry);
      return {
        get fired() {
          return entry.fired;
        },
        remove: () => void active.delete(entry),
      };
    },
    clear: () => active.clear(),
    take(route, request) {
      const hits = [...active].filter((entry) => {
        const { fault } = entry;
        const matches = (fault.route === "*" || fault.route === route) && (fault.match?.(request) ?? true);
        if (!matches || entry.seen++ < (fault.after ?? 0)) return false;
        return entry.fired < (fault.times ?? Number.POSITIVE_INFINITY);
      });
      for (const entry of hits) entry.fired += 1;
      return hits.map(({ fault }) => fault);
    },
  };
}

function assertNamed(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new RangeError(`No fault ${what} "${name}"; there are ${known.join(", ")}`);
}
