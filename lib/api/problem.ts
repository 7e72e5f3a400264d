import { type ErrorCode, ReadbackError } from "../errors.ts";
import { describeBody } from "./describe-body.ts";
import type { Failure } from "./failure.ts";
import { mask } from "./mask.ts";
import { type RateWait, waitAsked } from "./rate.ts";
import type { RouteKind } from "./routes.ts";
import type { Reply } from "./wire.ts";

/** What was tried, for the message, and what the error may say about it. */
export interface Tried {
  /** Continues "Cannot …": `read endpoint "ep1"`. */
  readonly what: string;
  /** A change or a consuming read that may have arrived must not be repeated. */
  readonly kind: RouteKind;
  readonly host: string;
  readonly keySource: string;
  readonly timeoutMs: number;
  /** Texts that must not appear anywhere. */
  readonly keys: readonly string[];
  readonly nowMs: number;
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  408: "server_error",
  409: "conflict",
  422: "unprocessable",
  429: "rate_limited",
};

const LONGEST_TEXT = 500;
const SUBMITTED_UNKNOWN = { submitted: "unknown" } as const;
/** What an unknown outcome means, by the kind of request. */
const MAY_HAVE_ARRIVED: Readonly<Record<RouteKind, string>> = {
  look: "",
  change: "it may have arrived, and is not sent again",
  consume: "what it took away may be lost, and it is not sent again",
};

/** The version of the API document that this tool was made from. */
const API_SPEC = "2.0.0";

/** The error for a reply that is no success. Nothing but a 4xx other than 408 says for certain that a change was refused. */
export function replyError(reply: Reply, tried: Tried): ReadbackError {
  const { status } = reply;
  const code = CODES[status] ?? (status >= 500 ? "server_error" : "api_error");
  const look = tried.kind === "look";
  const unknown = !look && (status < 400 || status === 408 || status >= 500);
  const problem = readProblem(reply);
  // The quota counts after a 429 alone; a 503 may name a time of its own.
  const names = status === 429 || (status >= 500 && reply.headers.has("retry-after"));
  const asked = names ? waitAsked(reply.headers, tried.nowMs) : null;
  return buildError(code, `${explain(reply, problem, tried)} (HTTP ${status})`, tried, {
    unknown,
    retryable: status === 429 || (look && (status === 408 || status >= 500)),
    status,
    details: {
      ...(problem.errors.length > 0 ? { errors: problem.errors.map((text) => mask(text, tried.keys)) } : {}),
      ...(asked === null ? {} : { retryAfterSeconds: Math.ceil(asked.ms / 1000) }),
    },
  });
}

/** The error for a request that got no reply. */
export function failureError(failure: Failure, tried: Tried): ReadbackError {
  const unknown = tried.kind !== "look" && failure.kind !== "not_sent";
  const code = {
    timeout: "call_timeout",
    interrupted: "interrupted",
    lost: "network_error",
    not_sent: "network_error",
  };
  const reason =
    failure.kind === "timeout" ? `no complete reply within ${tried.timeoutMs} ms` : failure.reason;
  return buildError(code[failure.kind] as ErrorCode, `${tried.host}: ${reason}`, tried, {
    unknown,
    retryable: !unknown && failure.transient && failure.kind !== "interrupted",
    status: null,
    details: {},
    cause: failure.cause,
  });
}

/** The error for a wait that the rate limit asks for and the call will not make; `status` is null where no 429 came. */
export function rateError(wait: RateWait, tried: Tried, status: 429 | null): ReadbackError {
  const seconds = Math.ceil(wait.ms / 1000);
  const which =
    wait.window === null
      ? "the rate limit asks"
      : `the ${wait.window} window of the rate limit is used up: it asks`;
  return buildError(
    "rate_limited",
    `${which} to wait ${seconds} s, which is longer than this call waits`,
    tried,
    {
      unknown: false,
      retryable: true,
      status,
      details: { retryAfterSeconds: seconds, ...(wait.window === null ? {} : { window: wait.window }) },
    },
  );
}

/** `error`, `message` and `detail` are all in use (runpod-api.md 2.2, 3.7); `errors` lists the fields at fault. */
function readProblem(reply: Reply): { text: string | null; errors: readonly string[] } {
  const body = parseObject(reply.text);
  if (body === null) return { text: null, errors: [] };
  const nested = typeof body["error"] === "object" && body["error"] !== null ? { ...body["error"] } : {};
  const candidates = [
    body["error"],
    Reflect.get(nested, "message"),
    body["message"],
    body["detail"],
    body["title"],
  ];
  const text = candidates.find((value): value is string => typeof value === "string" && value.trim() !== "");
  const errors = Array.isArray(body["errors"]) ? body["errors"].map((entry) => asText(entry)) : [];
  return { text: text ?? null, errors };
}

function explain(reply: Reply, problem: ReturnType<typeof readProblem>, tried: Tried): string {
  if (problem.text !== null)
    return `${shorten([problem.text, ...problem.errors].join(" · "))}${hint(reply, tried)}${newer(reply, problem.errors)}`;
  if (reply.status >= 300 && reply.status < 400) return redirectText(reply, tried);
  return `${tried.host} answered with ${describeBody(reply)} instead of a reason${hint(reply, tried)}`;
}

function hint(reply: Reply, tried: Tried): string {
  return reply.status === 401 ? `; the key came from ${tried.keySource}` : "";
}

/** A field that the service does not know, although this tool does, is a sign that the API moved on. */
function newer({ status }: Reply, errors: readonly string[]): string {
  const unknown = errors.some((text) =>
    /additional propert|unevaluated propert|unknown (field|propert)|not allowed/i.test(text),
  );
  return status === 422 && unknown ? `; the API schema may be newer than this tool (spec ${API_SPEC})` : "";
}

function redirectText(reply: Reply, tried: Tried): string {
  const location = reply.headers.get("location") ?? "";
  const base = `https://${tried.host}`;
  const to = URL.canParse(location, base) ? new URL(location, base).host : "an unreadable address";
  return `${tried.host} redirects to ${to}; redirects are not followed, so that the key stays with the host it is for`;
}

interface Facts {
  readonly unknown: boolean;
  readonly retryable: boolean;
  readonly status: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cause?: Error;
}

function buildError(code: ErrorCode, why: string, tried: Tried, facts: Facts): ReadbackError {
  const text = facts.unknown
    ? `Sent, with unknown outcome: ${tried.what}: ${why}; ${MAY_HAVE_ARRIVED[tried.kind]}`
    : `Cannot ${tried.what}: ${why}`;
  return new ReadbackError(code, mask(text, tried.keys), {
    retryable: facts.retryable,
    status: facts.status,
    details: { ...facts.details, ...(facts.unknown && tried.kind === "change" ? SUBMITTED_UNKNOWN : {}) },
    ...(facts.cause === undefined ? {} : { cause: facts.cause }),
  });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function asText(value: unknown): string {
  return shorten(typeof value === "string" ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
