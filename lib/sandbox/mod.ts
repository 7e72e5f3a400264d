import { clearInterval, setInterval } from "node:timers"; // the global one of Deno cannot be unreferenced
import { answerRequest } from "./answer.ts";
import { createBell } from "./bell.ts";
import { createSandboxClock, type SandboxClock } from "./clock.ts";
import { type Courier, createCourier, type Deliver, type RecordedWebhook } from "./courier.ts";
import type { Desk } from "./desk.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { Stage } from "./fleet/site.ts";
import { tend } from "./fleet/tend.ts";
import { INVOKE_ROUTES } from "./invoke/all.ts";
import { createInvokeLimiter, INVOKE_LIMITS, type InvokeLimits } from "./invoke/limits.ts";
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
export type { Deliver, RecordedWebhook } from "./courier.ts";
export type { ActiveFault, Fault, FaultKind, Faults, RateWindow, SetChange } from "./faults.ts";
export type { Fleet, FleetSettings } from "./fleet/fleet.ts";
export type { JobStatus, WorldJob } from "./fleet/job.ts";
export type { FleetWorker } from "./fleet/worker.ts";
export type { LogLine } from "./fleet/worker-log.ts";
export type { Call, Work, WorkFor } from "./handlers/handler.ts";
export type { InvokeLimits } from "./invoke/limits.ts";
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
  /** Limits of the invoke plane over the documented ones; null is none. */
  readonly invokeLimits?: InvokeLimits | null;
  /** Brings webhooks to their addresses; without it they are recorded only. */
  readonly deliver?: Deliver;
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
  /** Every webhook that was due, in order. */
  readonly webhooks: readonly RecordedWebhook[];
  /** Brings webhooks to their addresses; null records them only. */
  deliver: Deliver | null;
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
 * Makes a sandbox: both planes of Runpod as a request handler, with no port.
 *
 * @throws RangeError - there is no such scenario; the message lists those that exist
 * @example
 * const sandbox = createSandbox();
 * const headers = { authorization: `Bearer ${sandbox.key}` };
 * const response = await sandbox.fetch(new Request(`${sandbox.origin}/v2/serverless`, { headers }));
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const clock = options.clock ?? createSandboxClock(options);
  const courier = createCourier(clock, options.deliver ?? null);
  const stage = createStage(options, clock, courier);
  const desk = createDesk(options, stage, () => ({ origin: sandbox.origin, rules: stage.rules }));
  populate(stage, findScenario(options.scenario ?? "healthy"));
  const sandbox: Sandbox = {
    fetch: (request) =>
      connected(request, async () => toResponse(await answerRequest(desk, request), request)),
    handle: (request) => answerRequest(desk, request),
    ...{
      clock,
      state: stage.world,
      faults: desk.faults,
      requests: desk.requests,
      webhooks: courier.webhooks,
    },
    get deliver() {
      return courier.deliver;
    },
    set deliver(deliver) {
      courier.deliver = deliver;
    },
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

/**
 * Keeps a request from being collected before it is answered, as its connection would: on Node the signal of a collected
 * request never aborts.
 */
async function connected(request: Request, answer: () => Promise<Response>): Promise<Response> {
  const connection = setInterval(() => void request.signal, 2 ** 30);
  connection.unref();
  try {
    return await answer();
  } finally {
    clearInterval(connection);
  }
}

function createStage(options: SandboxOptions, clock: SandboxClock, courier: Courier): Stage {
  const stage: Stage = {
    ...{
      world: createWorld(options.seed ?? 1),
      clock,
      bell: createBell(),
      rules: inferredRules(options.rules),
    },
    notify: (job) => courier.notify(job),
    tend: (endpointId) => tend(stage, endpointId),
  };
  return stage;
}

function createDesk(options: SandboxOptions, stage: Stage, show: Desk["show"]): Desk {
  const { seed = 1, quotas, invokeLimits } = options;
  const start = stage.clock.now();
  const routes = [...SANDBOX_ROUTES, ...INVOKE_ROUTES];
  const requestIds = createRandom(seed, "request ids");
  let arrived = 0;
  return {
    routes,
    stage,
    faults: createFaults(routes.map(({ name }) => name)),
    limiter: createRateLimiter(start, quotas === null ? null : { ...DEFAULT_QUOTAS, ...quotas }),
    invokeLimiter: createInvokeLimiter(
      start,
      invokeLimits === null ? null : { ...INVOKE_LIMITS, ...invokeLimits },
    ),
    keys: createKeys(seed),
    requests: [],
    show,
    newRequestId: () => `req_${drawId(requestIds, 16)}`,
    nextNumber: () => ++arrived,
  };
}
