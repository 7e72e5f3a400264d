import type { Desk } from "./desk.ts";
import type { RateWindow } from "./faults.ts";
import { plainReply, tooMany } from "./invoke/plain.ts";
import { writeJson } from "./json-text.ts";
import { refuseInvokeKey, refuseKey } from "./keys.ts";
import type { Answer, Outcome } from "./outcome.ts";
import type { RecordedRequest } from "./record.ts";
import type { Reply } from "./reply.ts";
import type { RouteMatch } from "./route.ts";

/** What the two planes do each in their own way. */
export interface Plane {
  refuseKey(record: RecordedRequest): Reply | null;
  /** Lets a request be served, or refuses it where a limit is reached. */
  admit(asked: { readonly match: RouteMatch }, serve: () => Served | Promise<Served>): Promise<Served>;
  /** The refusal that a limit gives. `retryAfter` null leaves the header out. */
  limited(window: RateWindow, retryAfter?: string | null): Reply;
  toAnswer(reply: Reply): Answer;
}

type Served = Reply | Outcome;

/** The control plane: windows of the account with their headers, problem documents, request ids. */
export function controlPlane({ stage, keys, limiter, newRequestId }: Desk): Plane {
  const limited: Plane["limited"] = (window, retryAfter) =>
    limiter.refusal(stage.clock.now(), window, retryAfter);
  return {
    refuseKey: ({ method, headers }) => refuseKey({ method, authorization: headers["authorization"] }, keys),
    async admit(_, serve) {
      const nowMs = stage.clock.now();
      const empty = limiter.take(nowMs);
      const reply = empty === null ? await serve() : limited(empty);
      return "kind" in reply ? reply : { ...reply, headers: { ...limiter.headers(nowMs), ...reply.headers } };
    },
    limited,
    toAnswer: (reply) => toAnswer(reply, { json: JSON.stringify, own: { "x-request-id": newRequestId() } }),
  };
}

/** The invoke plane: limits by endpoint and operation, plain errors, no headers of either kind (runpod-api.md 3). */
export function invokePlane({ stage, keys, invokeLimiter }: Desk): Plane {
  const { rules, clock } = stage;
  const limited: Plane["limited"] = (_, retryAfter) =>
    tooMany(retryAfter ?? (rules.invokeRetryAfter ? String(invokeLimiter.resetSeconds(clock.now())) : null));
  return {
    refuseKey: ({ method, headers }) =>
      refuseInvokeKey({ method, authorization: headers["authorization"] }, keys, rules),
    async admit({ match }, serve) {
      if (match.route === null) return await serve();
      const leave = invokeLimiter.enter(match.route.name, match.params["id"] ?? "", clock.now());
      if (leave === null) return limited("minute");
      try {
        return await serve();
      } finally {
        leave();
      }
    },
    limited,
    toAnswer: (reply) => toAnswer(plainReply(reply), { json: writeJson, own: {} }),
  };
}

function toAnswer(
  { status, json, headers }: Reply,
  plane: { readonly json: (value: unknown) => string; readonly own: Readonly<Record<string, string>> },
): Answer {
  const text = json === undefined ? "" : plane.json(json);
  const type = json === undefined ? {} : { "content-type": "application/json" };
  return { status, headers: { ...type, ...plane.own, ...headers }, text };
}
