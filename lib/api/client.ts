import type { Clock } from "../clock.ts";
import { systemClock } from "../clock.ts";
import { ReadbackError } from "../errors.ts";
import type { Target } from "../target.ts";
import { CHANGE, CONSUME, createRepeat, LOOK, type Repeat } from "./_repeat.ts";
import { createTransport, refusal, type Transport, type TransportOptions } from "./_transport.ts";
import type { Gate, Permit, PreparedChange } from "./gate.ts";
import type { Plane } from "./routes.ts";
import { joinUrl } from "./url.ts";
import type { InProcessFetch, Reply } from "./wire.ts";

export type { PreparedChange } from "./gate.ts";
export type { Reply } from "./wire.ts";

export interface ClientOptions {
  /** Time of the waits between requests; deadlines are real time. @default systemClock */
  readonly clock?: Clock;
  /** A handler in this process in place of the network. */
  readonly fetch?: InProcessFetch;
  /** Ends every call and every wait. */
  readonly signal?: AbortSignal;
  readonly onRequest?: (event: { method: string; url: string; attempt: number }) => void;
  /** Told about waits and repeated looks, one line each. */
  readonly onNote?: (text: string) => void;
  /** How long one call waits for the rate limit in all, in milliseconds. @default 60000 */
  readonly maxRateWaitMs?: number;
  /** 0 to 1, for the spread of repeated looks. @default Math.random */
  readonly random?: () => number;
  /** The wait that calls without a deadline of their own are part of. @default none */
  readonly budget?: CallBudget;
}

/** What is left of a wait: calls inside it end with it, and are tried again until then. */
export interface CallBudget {
  /** Milliseconds, by the client's clock; 0 or less when it is spent. */
  leftMs(): number;
}

export interface CallOptions {
  /** Deadline of each attempt, reply included, in milliseconds. @default target.timeoutMs, within the budget */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Ends the pauses between attempts, and not the request in flight. @default none */
  readonly pauseSignal?: AbortSignal;
  /** How often it may be sent in all; 1 where the caller repeats by itself. @default 4; within a budget, until it is spent */
  readonly attempts?: number;
  /** False where a deadline that ran out ends the call, whatever attempts are left. @default true */
  readonly repeatsTimeouts?: boolean;
  /** How long it may wait for the rate limit in all, in milliseconds; 0 where the caller waits. @default the client's */
  readonly maxRateWaitMs?: number;
  /** Continues "Cannot …" in an error: `read endpoint "ep1"`. @default method and path */
  readonly what?: string;
}

export interface LookOptions extends CallOptions {
  /** The plane that `path` is below. @default "control" */
  readonly plane?: Plane;
  readonly query?: Readonly<Record<string, string>>;
}

/** Looks, and cannot do anything else. */
export interface LookClient {
  readonly target: Target;
  /** GET requests made so far, repeated ones included. */
  readonly reads: number;
  /**
   * Makes a GET of the route table below one of the planes and gives its 2xx reply. Network errors, 408, 429 and 5xx are
   * tried again, four times in all.
   *
   * @throws not_found, unauthorized, forbidden, rate_limited, server_error, network_error, call_timeout, api_error,
   * interrupted, no_credentials; undeclared_mutation for a request that is not in the table
   */
  look(path: string, options?: LookOptions): Promise<Reply>;
}

/** Looks, and makes reads that take away what they read. */
export interface ConsumeClient extends LookClient {
  /**
   * Makes a consuming GET of the route table below the invoke plane and gives its 2xx reply. Like a change it is sent
   * again only when the rate limit turned it away or no connection was made: a second read would not give the same.
   *
   * @throws what `look` throws, and never retryable when what it took away may be lost
   */
  consume(path: string, options?: LookOptions): Promise<Reply>;
}

/** Looks, and sends changes that a gate permits. */
export interface ChangeClient extends LookClient {
  /**
   * Sends a change once and gives its 2xx reply, which is no proof of it. It is sent again only when the rate limit turned
   * it away or no connection was made.
   *
   * @throws what `look` throws; with `details.submitted: "unknown"` and never retryable when it may have arrived
   */
  change(request: PreparedChange, permit: Permit, options?: CallOptions): Promise<Reply>;
}

/** Makes a client whose wire refuses everything but looks. */
export function createLookClient(target: Target, options: ClientOptions = {}): LookClient {
  const transport = createTransport({ ...transportOptions(target, options), kinds: ["look"] });
  return lookClient(target, transport, createRepeat({ ...options, target, transport }));
}

/** Makes a client whose wire refuses everything but looks and consuming reads. */
export function createConsumeClient(target: Target, options: ClientOptions = {}): ConsumeClient {
  const transport = createTransport({ ...transportOptions(target, options), kinds: ["look", "consume"] });
  const repeat = createRepeat({ ...options, target, transport });
  const looks = lookClient(target, transport, repeat);
  return {
    target,
    get reads() {
      return looks.reads;
    },
    look: looks.look,
    async consume(path, given = {}) {
      const url = joinUrl(target.invokeUrl, path, given.query);
      if (transport.route("GET", url)?.kind !== "consume") throw refusal("GET", url);
      return await repeat({ method: "GET", url, body: "", key: target.readKey }, given, CONSUME);
    },
  };
}

/** Makes a client that also sends changes, each under a permit of `gate`; what it refuses closes the gate. */
export function createChangeClient(target: Target, gate: Gate, options: ClientOptions = {}): ChangeClient {
  const transport = createTransport({ ...transportOptions(target, options), kinds: ["look", "change"] });
  const repeat = createRepeat({ ...options, target, transport });
  const looks = lookClient(target, transport, repeat, (reason) => gate.close(reason));
  return {
    target,
    get reads() {
      return looks.reads;
    },
    look: looks.look,
    async change(request, permit, given = {}) {
      const { method, url, body } = request;
      const route = transport.route(method, url);
      if (route?.kind !== "change" || route !== request.route) {
        gate.close(`${method} ${url} is no change that can be made`);
        throw refusal(method, url);
      }
      if (target.key === "") throw noChangeKey(target);
      gate.redeem(permit, request);
      const message = { method, url, body, key: target.key };
      return await repeat(message, given, { ...CHANGE, beforeSend: () => gate.recheck(permit) });
    },
  };
}

function lookClient(
  target: Target,
  transport: Transport,
  repeat: Repeat,
  refused: (reason: string) => void = () => {},
): LookClient {
  return {
    target,
    get reads() {
      return transport.reads;
    },
    async look(path, given = {}) {
      const base = given.plane === "invoke" ? target.invokeUrl : target.controlUrl;
      const url = joinUrl(base, path, given.query);
      if (transport.route("GET", url)?.kind !== "look") {
        refused(`GET ${url} is no request that can be made`);
        throw refusal("GET", url);
      }
      return await repeat({ method: "GET", url, body: "", key: target.readKey }, given, LOOK);
    },
  };
}

function transportOptions(target: Target, options: ClientOptions): Omit<TransportOptions, "kinds"> {
  return {
    target,
    clock: options.clock ?? systemClock,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    ...(options.onRequest === undefined ? {} : { onRequest: options.onRequest }),
  };
}

function noChangeKey(target: Target): ReadbackError {
  const which =
    target.readKey === "" ? "No API key is set" : `Only a read-only key is set (${target.keySource})`;
  return new ReadbackError("no_credentials", `${which}; a change needs RUNPOD_API_KEY`);
}
