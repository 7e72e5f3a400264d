import { answerRequest, type Desk } from "./answer.ts";
import { createSandboxClock, type SandboxClock } from "./clock.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createKeys } from "./keys.ts";
import { type Outcome, toResponse } from "./outcome.ts";
import { populate } from "./populate.ts";
import { createRateLimiter, DEFAULT_QUOTAS, type Quotas } from "./quotas.ts";
import { createRandom, drawId } from "./random.ts";
import type { RecordedRequest } from "./record.ts";
import { SANDBOX_ROUTES } from "./routes/all.ts";
import { type InferredRules, inferredRules } from "./rules.ts";
import { findScenario, SCENARIOS } from "./scenarios/registry.ts";
import type { ServedSandbox, ServeOptions } from "./serve.ts";
import { createWorld, type World } from "./world.ts";

export type { SandboxClock } from "./clock.ts";
export type { ActiveFault, Fault, FaultKind, Faults, RateWindow, SetChange } from "./faults.ts";
export type { Outcome } from "./outcome.ts";
export type { Quotas } from "./quotas.ts";
export type { RecordedRequest } from "./record.ts";
export type { InferredRules } from "./rules.ts";
export type { ServedSandbox, ServeOptions } from "./serve.ts";
export type { World, WorldEndpoint, WorldRelease } from "./world.ts";

export interface SandboxOptions {
  /** The world to start with. @default "healthy" */
  readonly scenario?: string;
  /** The same seed gives the same ids and the same stock. @default 1 */
  readonly seed?: number;
  /** Lets the time run by itself, this many times faster than the wall clock. Without it, it is moved by hand. */
  readonly speed?: number;
  /** Where the time starts, in milliseconds since the epoch. @default 2026-11-30T12:00:00Z, or now with `speed` */
  readonly startMs?: number;
  /** A clock in place of the sandbox's own. */
  readonly clock?: SandboxClock;
  /** What `requestUrls` start with. @default "http://readback.sandbox" */
  readonly origin?: string;
  readonly rules?: Partial<InferredRules>;
  /** Requests per window; null is an exempt caller, who sees no rate headers. @default 600, 20000 and 200000 */
  readonly quotas?: Partial<Quotas> | null;
}

/** A Runpod of one's own: it imitates an API, not GPUs. */
export interface Sandbox {
  /** Answers a request like `fetch`; a fault that breaks the connection rejects with a `TypeError`. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request with what happens to its connection, for a server to act out. */
  handle(request: Request): Promise<Outcome>;
  readonly clock: SandboxClock;
  readonly state: World;
  readonly faults: Faults;
  /** Every request, in order of arrival. */
  readonly requests: RecordedRequest[];
  /** A key with full access. */
  readonly key: string;
  /** A key that may read only. */
  readonly readOnlyKey: string;
  /** A valid key that may do nothing. */
  readonly noAccessKey: string;
  /** What `requestUrls` start with; `serve` sets it. */
  origin: string;
}

/**
 * Makes a sandbox: the control plane of Runpod as a request handler, with no port.
 *
 * @throws RangeError - there is no such scenario; the message lists those that exist
 * @example
 * const sandbox = createSandbox();
 * const headers = { authorization: `Bearer ${sandbox.key}` };
 * const response = await sandbox.fetch(new Request(`${sandbox.origin}/v2/serverless`, { headers }));
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const seed = options.seed ?? 1;
  const rules = inferredRules(options.rules);
  const desk = createDesk(options, seed, () => ({ origin: sandbox.origin, rules }));
  populate(desk.world, findScenario(options.scenario ?? "healthy"), rules);
  const sandbox: Sandbox = {
    fetch: async (request) => toResponse(await answerRequest(desk, request), request.signal),
    handle: (request) => answerRequest(desk, request),
    ...{ clock: desk.clock, state: desk.world, faults: desk.faults, requests: desk.requests },
    ...{ key: desk.keys.full, readOnlyKey: desk.keys.readOnly, noAccessKey: desk.keys.noAccess },
    origin: options.origin ?? "http://readback.sandbox",
  };
  return sandbox;
}

/** Puts a sandbox on a loopback port. The server is loaded only here. */
export async function serve(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  const server = await import("./serve.ts");
  return await server.serve(sandbox, options);
}

/** The scenarios that `createSandbox` knows, with a sentence on each. */
export function listScenarios(): readonly { readonly name: string; readonly summary: string }[] {
  return SCENARIOS.map(({ name, summary }) => ({ name, summary }));
}

function createDesk(options: SandboxOptions, seed: number, show: Desk["show"]): Desk {
  const { speed, startMs, quotas } = options;
  const clock =
    options.clock ??
    createSandboxClock({
      ...(speed === undefined ? {} : { speed }),
      ...(startMs === undefined ? {} : { startMs }),
    });
  const requestIds = createRandom(seed, "request ids");
  let arrived = 0;
  return {
    routes: SANDBOX_ROUTES,
    world: createWorld(seed),
    clock,
    faults: createFaults(SANDBOX_ROUTES.map(({ name }) => name)),
    limiter: createRateLimiter(clock.now(), quotas === null ? null : { ...DEFAULT_QUOTAS, ...quotas }),
    keys: createKeys(seed),
    requests: [],
    show,
    newRequestId: () => `req_${drawId(requestIds, 16)}`,
    nextNumber: () => ++arrived,
  };
}
