import type { Clock } from "../clock.ts";
import { ReadbackError } from "../errors.ts";
import type { Target } from "../target.ts";
import { VERSION } from "../version.ts";
import { isLoopback } from "./hosts.ts";
import { assertKey } from "./key.ts";
import { createRateBudget, type RateBudget } from "./rate.ts";
import type { Outcome } from "./retry.ts";
import { matchRoute, type Route, type RouteKind } from "./routes.ts";
import type { StreamReply, StreamWire } from "./stream-wire.ts";
import { pathBelow } from "./url.ts";
import { createWire, type InProcessFetch, type Wire } from "./wire.ts";

/** One request, to be sent once. */
export interface Send {
  readonly method: "GET" | "PATCH" | "POST";
  readonly url: string;
  readonly body: string;
  readonly key: string;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly signals: readonly AbortSignal[];
}

/** A look whose answer is read while it comes. */
export interface Open {
  readonly url: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, and the reading of its body. */
  readonly signal: AbortSignal;
  /** Given along, since most commands open no stream and need not load it. */
  readonly wire: StreamWire;
}

/** The last door before the wire: it knows the route table, the kinds of request it may send, and the quota. */
export interface Transport {
  /** GET requests sent so far. */
  readonly reads: number;
  /** The route of a request, or null when this transport must not send it. */
  route(method: string, url: string): Route | null;
  budget(url: string): RateBudget;
  /** @throws undeclared_mutation when the request is not one of its kinds; no_credentials before an unusable key */
  send(request: Send): Promise<Outcome>;
  /** The same for a look that is read as a stream, without a deadline; rejects with what the runtime threw. */
  open(request: Open): Promise<StreamReply>;
}

export interface TransportOptions {
  readonly target: Target;
  readonly kinds: readonly RouteKind[];
  readonly clock: Clock;
  readonly fetch?: InProcessFetch;
  readonly onRequest?: (event: { method: string; url: string; attempt: number }) => void;
}

/** Makes the transport of one client. */
export function createTransport(options: TransportOptions): Transport {
  const { target } = options;
  const wire = createWire(options.fetch);
  const budgets = new Map<string, RateBudget>();
  let reads = 0;
  if (options.fetch === undefined) assertEncrypted(target);

  const route = (method: string, url: string): Route | null => findRoute(target, method, url, options.kinds);
  const budget = (url: string): RateBudget => {
    const { origin } = new URL(url);
    const known = budgets.get(origin) ?? createRateBudget(options.clock);
    budgets.set(origin, known);
    return known;
  };
  const pass = (request: Pick<Send, "method" | "url" | "key" | "attempt">) => {
    const { method, url, attempt } = request;
    const found = route(method, url);
    if (found === null) throw refusal(method, url);
    assertKey(request.key, target.keySource);
    if (method === "GET") reads += 1;
    options.onRequest?.({ method, url, attempt });
    return { found, ended: budget(url).spend() };
  };
  const keys = [target.key, target.readKey];
  return {
    get reads() {
      return reads;
    },
    route,
    budget,
    async send(request) {
      const { found, ended } = pass(request);
      const outcome = await sendOnce(wire, { ...request, once: found.kind === "consume" }, keys);
      ended(outcome.reply?.headers ?? null);
      return outcome;
    },
    async open(request) {
      const { ended } = pass({ ...request, method: "GET", attempt: 1 });
      const headers = { ...identity(request.key), ...request.headers };
      try {
        const reply = await request.wire(
          { url: request.url, headers, signal: request.signal },
          options.fetch,
        );
        ended(reply.headers);
        return reply;
      } catch (thrown) {
        ended(null);
        throw thrown;
      }
    },
  };
}

/** The refusal of a request that is not in the route table. */
export function refusal(method: string, url: string): ReadbackError {
  const text = `Refused before anything was sent: ${method} ${url} is no request that this client may make`;
  return new ReadbackError("undeclared_mutation", text);
}

async function sendOnce(
  wire: Wire,
  request: Send & { readonly once: boolean },
  keys: readonly string[],
): Promise<Outcome> {
  const deadline = new AbortController();
  // A real timer even under a clock of one's own: it ends real sockets, and never decides what a run does next.
  const timer = setTimeout(() => deadline.abort(new Error("deadline")), request.timeoutMs);
  try {
    const signal = AbortSignal.any([deadline.signal, ...request.signals]);
    return { reply: await wire({ ...request, headers: headersOf(request), signal }) };
  } catch (thrown) {
    const { classify } = await import("./failure.ts"); // most requests are answered
    const failure = classify(thrown, keys);
    if (request.signals.some((signal) => signal.aborted)) {
      return { failure: { ...failure, kind: "interrupted", reason: "interrupted" } };
    }
    return { failure: deadline.signal.aborted ? { ...failure, kind: "timeout" } : failure };
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(request: Send): Record<string, string> {
  return {
    ...identity(request.key),
    accept: "application/json",
    ...(request.body === "" ? {} : { "content-type": "application/json" }),
  };
}

function identity(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, "user-agent": `readback/${VERSION}` };
}

function findRoute(target: Target, method: string, url: string, kinds: readonly RouteKind[]): Route | null {
  for (const [plane, base] of [
    ["control", target.controlUrl],
    ["invoke", target.invokeUrl],
  ] as const) {
    const below = pathBelow(base, url);
    const route = below === null ? null : matchRoute(plane, method, below.path);
    if (below === null || route === null || !kinds.includes(route.kind)) continue;
    if (below.query.every((name) => route.query.includes(name))) return route;
  }
  return null;
}

/** Targets made by hand pass here too; `loadTarget` knows more about hosts. */
function assertEncrypted(target: Target): void {
  for (const base of [target.controlUrl, target.invokeUrl]) {
    const url = new URL(base);
    if (url.protocol === "https:" || isLoopback(url.hostname)) continue;
    throw new ReadbackError("usage_error", `Refusing to send the key to ${url.host} over plain http`);
  }
}
