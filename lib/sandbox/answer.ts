import type { SandboxClock } from "./clock.ts";
import { edgeOutcome } from "./edge.ts";
import type { Fault, Faults } from "./faults.ts";
import { refuseKey, type SandboxKeys } from "./keys.ts";
import type { Answer, Outcome } from "./outcome.ts";
import { storeChange } from "./patch/release.ts";
import { applySet, patchTwists } from "./patch/twists.ts";
import type { RateLimiter } from "./quotas.ts";
import { type RecordedRequest, recordRequest } from "./record.ts";
import { type Reply, refuse } from "./reply.ts";
import { findRoute, type RouteMatch, type SandboxRoute } from "./route.ts";
import type { ShowOptions } from "./show-endpoint.ts";
import { spoilAnswer, spoilReply } from "./spoil.ts";
import type { World } from "./world.ts";

/** The parts of a sandbox that an answer needs. */
export interface Desk {
  readonly routes: readonly SandboxRoute[];
  readonly world: World;
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly limiter: RateLimiter;
  readonly keys: SandboxKeys;
  readonly requests: RecordedRequest[];
  /** What is needed to show an endpoint, at this moment. */
  readonly show: () => ShowOptions;
  readonly newRequestId: () => string;
  /** How many requests have begun to arrive, this one included. */
  readonly nextNumber: () => number;
}

/** The user that the sandbox's own keys belong to. */
export const SANDBOX_USER = "user_sandbox";

/** Answers one request: records it, lets faults have their way, checks key and quota, and asks the route. */
export async function answerRequest(desk: Desk, request: Request): Promise<Outcome> {
  const at = desk.clock.now();
  const match = findRoute(desk.routes, request.method, new URL(request.url).pathname);
  const record = await recordRequest(request, { n: desk.nextNumber(), at, route: match.route?.name ?? null });
  desk.requests.push(record);
  const faults = desk.faults.take(record.route ?? "", record);
  for (const fault of faults) {
    if (fault.kind === "latency") await desk.clock.sleep(fault.ms, request.signal);
  }
  const outcome = decide(desk, { match, record, faults });
  record.status = outcome.kind === "answer" || outcome.kind === "cut" ? outcome.answer.status : null;
  return outcome;
}

interface Case {
  readonly match: RouteMatch;
  readonly record: RecordedRequest;
  readonly faults: readonly Fault[];
}

function decide(desk: Desk, { match, record, faults }: Case): Outcome {
  const nowMs = desk.clock.now();
  for (const fault of faults) {
    const edge = edgeOutcome(fault, desk.limiter, nowMs);
    if (edge !== null) return "kind" in edge ? edge : { kind: "answer", answer: toAnswer(desk, edge) };
  }
  const { method, headers } = record;
  const refusedKey = refuseKey({ method, authorization: headers["authorization"] }, desk.keys);
  if (refusedKey?.status === 401) return { kind: "answer", answer: toAnswer(desk, refusedKey) };
  const empty = desk.limiter.take(nowMs);
  const reply =
    empty === null
      ? (refusedKey ?? serveRoute(desk, { match, record, faults }))
      : desk.limiter.refusal(nowMs, empty);
  const limited = { ...reply, headers: { ...desk.limiter.headers(nowMs), ...reply.headers } };
  return spoilAnswer(toAnswer(desk, limited), faults);
}

function serveRoute(desk: Desk, { match, record, faults }: Case): Reply {
  if (match.route === null) return refusePath(match.allow);
  const { route, params } = match;
  letOthersWrite(desk, { faults, when: "before", id: params["id"] });
  const show = desk.show();
  const nowMs = desk.clock.now();
  const reply = route.answer({
    ...{ world: desk.world, show, params, nowMs },
    query: new URLSearchParams(record.query),
    bodyText: record.body,
    author: { userId: SANDBOX_USER, at: new Date(nowMs).toISOString() },
    twists: patchTwists(faults, show.rules),
    applied: () => {
      record.applied = true;
    },
  });
  letOthersWrite(desk, { faults, when: "after", id: params["id"] });
  const { headers } = reply;
  const spoilt = spoilReply(reply, faults);
  return { ...spoilt, headers: { ...headers, ...spoilt.headers } };
}

function refusePath(allow: readonly string[]): Reply {
  return allow.length === 0
    ? refuse({ status: 404, detail: "The requested path was not found." })
    : refuse(
        { status: 405, detail: "The requested method is not allowed for this path." },
        { allow: allow.join(", ") },
      );
}

function letOthersWrite(
  desk: Desk,
  { faults, when, id }: { faults: readonly Fault[]; when: "before" | "after"; id: string | undefined },
): void {
  for (const fault of faults) {
    if (fault.kind !== "concurrent-writer" || fault.when !== when) continue;
    const endpoint = desk.world.endpoints.get(fault.endpoint ?? id ?? "");
    if (endpoint === undefined) continue;
    const { rules } = desk.show();
    const author = { userId: fault.userId ?? "user_other", at: new Date(desk.clock.now()).toISOString() };
    storeChange(desk.world, applySet(endpoint, fault.set, rules), {
      author,
      rules,
      release: fault.release ?? true,
    });
  }
}

function toAnswer(desk: Desk, { status, json, headers }: Reply): Answer {
  const text = json === undefined ? "" : JSON.stringify(json);
  const type = json === undefined ? {} : { "content-type": "application/json" };
  return { status, headers: { ...type, "x-request-id": desk.newRequestId(), ...headers }, text };
}
