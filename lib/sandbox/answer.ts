import type { Desk } from "./desk.ts";
import { edgeOutcome, edgePage } from "./edge.ts";
import type { Fault } from "./faults.ts";
import { submitJob } from "./fleet/jobs.ts";
import { siteOf } from "./fleet/site.ts";
import { tendAll } from "./fleet/tend.ts";
import { createHold, EdgeTimeout } from "./hold.ts";
import { isInvokePath } from "./invoke/plain.ts";
import type { Outcome } from "./outcome.ts";
import { storeChange } from "./patch/release.ts";
import { applySet, patchTwists } from "./patch/twists.ts";
import { controlPlane, invokePlane } from "./plane.ts";
import { type RecordedRequest, recordRequest } from "./record.ts";
import { type Reply, refuse } from "./reply.ts";
import { findRoute, type RouteMatch } from "./route.ts";
import { spoilAnswer, spoilReply } from "./spoil.ts";

/** The user that the sandbox's own keys belong to. */
export const SANDBOX_USER = "user_sandbox";

/** Answers one request: records it, lets faults have their way, checks key and quota, and asks the route. */
export async function answerRequest(desk: Desk, request: Request): Promise<Outcome> {
  const at = desk.stage.clock.now();
  const match = findRoute(desk.routes, request.method, new URL(request.url).pathname);
  const record = await recordRequest(request, { n: desk.nextNumber(), at, route: match.route?.name ?? null });
  desk.requests.push(record);
  const faults = desk.faults.take(record.route ?? "", record);
  for (const fault of faults) {
    if (fault.kind === "latency") await desk.stage.clock.sleep(fault.ms, request.signal);
  }
  desk.stage.clock.advance(0);
  tendAll(desk.stage);
  const outcome = await decide(desk, { match, record, faults, signal: request.signal });
  if (record.applied || faults.length > 0) tendAll(desk.stage);
  record.status = "answer" in outcome ? outcome.answer.status : null;
  return outcome;
}

interface Case {
  readonly match: RouteMatch;
  readonly record: RecordedRequest;
  readonly faults: readonly Fault[];
  readonly signal: AbortSignal;
}

async function decide(desk: Desk, asked: Case): Promise<Outcome> {
  const { record, faults } = asked;
  const plane = isInvokePath(record.path) ? invokePlane(desk) : controlPlane(desk);
  for (const fault of faults) {
    const edge = edgeOutcome(fault, plane);
    if (edge !== null) return "kind" in edge ? edge : { kind: "answer", answer: plane.toAnswer(edge) };
  }
  const refused = plane.refuseKey(record);
  if (refused?.status === 401) return { kind: "answer", answer: plane.toAnswer(refused) };
  const reply = await plane.admit(asked, () => refused ?? serveRoute(desk, asked));
  if ("kind" in reply) return reply;
  const answer = plane.toAnswer(reply);
  return spoilAnswer(answer, faults, reply.frames);
}

async function serveRoute(desk: Desk, { match, record, faults, signal }: Case): Promise<Reply | Outcome> {
  if (match.route === null) return refusePath(match.allow);
  const { route, params } = match;
  letOthersWrite(desk, { faults, when: "before", id: params["id"] });
  const show = desk.show();
  const { stage } = desk;
  const nowMs = stage.clock.now();
  const cutAfterMs =
    faults.find((fault) => fault.kind === "edge-timeout")?.afterMs ?? Number.POSITIVE_INFINITY;
  const answered = route.answer({
    ...{ world: stage.world, stage, show, params, nowMs, faults },
    query: new URLSearchParams(record.query),
    ...{ bodyText: record.body, bodyBytes: record.bytes.length, headers: record.headers },
    author: { userId: SANDBOX_USER, at: new Date(nowMs).toISOString() },
    twists: patchTwists(faults, show.rules),
    hold: createHold(stage.clock, stage.bell, { signal, cutAfterMs }),
    applied: () => {
      record.applied = true;
    },
  });
  letOthersWrite(desk, { faults, when: "after", id: params["id"] });
  return await finished(answered, faults);
}

/** The answer of a route once it is there, and what faults make of it. */
async function finished(
  answered: Reply | Promise<Reply>,
  faults: readonly Fault[],
): Promise<Reply | Outcome> {
  try {
    const reply = await answered;
    const spoilt = spoilReply(reply, faults);
    return { ...spoilt, headers: { ...reply.headers, ...spoilt.headers } };
  } catch (error) {
    if (error instanceof EdgeTimeout) return { kind: "answer", answer: edgePage(524) };
    throw error;
  }
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
    if (fault.kind === "concurrent-submit" && fault.when === when) letOthersSubmit(desk, fault, id);
    if (fault.kind !== "concurrent-writer" || fault.when !== when) continue;
    const endpoint = desk.stage.world.endpoints.get(fault.endpoint ?? id ?? "");
    if (endpoint === undefined) continue;
    const { rules } = desk.show();
    const author = {
      userId: fault.userId ?? "user_other",
      at: new Date(desk.stage.clock.now()).toISOString(),
    };
    storeChange(desk.stage.world, applySet(endpoint, fault.set, rules), {
      author,
      rules,
      release: fault.release ?? true,
    });
  }
}

function letOthersSubmit(
  { stage }: Desk,
  fault: Extract<Fault, { kind: "concurrent-submit" }>,
  id: string | undefined,
): void {
  const site = siteOf(stage, fault.endpoint ?? id ?? "");
  if (site === null) return;
  for (let n = 0; n < fault.jobs; n++) {
    submitJob(site, { input: JSON.stringify(fault.input ?? { prompt: "somebody else's" }) });
  }
}
