import {
  type ClientOptions,
  type ConsumeClient,
  createConsumeClient,
  createLookClient,
  type LookClient,
} from "../lib/api/client.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { environment, type LoadTargetOptions, loadTarget } from "../lib/config.ts";
import { isReadbackError } from "../lib/errors.ts";
import type { Target } from "../lib/target.ts";
import { listOf, timeoutOf } from "./_flags.ts";

/** The flags of {@link CONNECTION_FLAGS} as given. */
export interface ConnectionFlags {
  readonly sandbox?: string | undefined;
  readonly timeout?: string | undefined;
  readonly "allow-host"?: string | undefined;
}

/** Whom a command talks to: Runpod, or a sandbox in this process with a clock and a key of its own. */
export interface Connection {
  readonly target: Target;
  readonly clock: Clock;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly sandbox: boolean;
}

const SANDBOX_ORIGIN = "http://readback.sandbox";

/** Finds out whom to talk to; nothing is sent yet. @throws usage_error, no_credentials */
export async function connect(
  flags: ConnectionFlags,
  options: { readonly traceKey?: boolean } = {},
): Promise<Connection> {
  const timeout = timeoutOf(flags.timeout);
  if (flags.sandbox !== undefined) return await connectSandbox(flags.sandbox, timeout.timeoutMs ?? 30_000);
  const target = await targetFor({ allowHosts: listOf(flags["allow-host"]), ...timeout, ...options });
  return { target, clock: systemClock, sandbox: false };
}

/** The team's hosts are looked up only where a host is none of those that are known: a config file may be code. */
async function targetFor(
  options: LoadTargetOptions & { readonly allowHosts: readonly string[] },
): Promise<Target> {
  try {
    return await loadTarget(options);
  } catch (error) {
    if (!isReadbackError(error, "usage_error")) throw error;
    const { readTeam } = await import("./_team.ts");
    const allowHosts = (await readTeam())?.allowHosts ?? [];
    if (allowHosts.length === 0) throw error;
    return await loadTarget({ ...options, allowHosts: [...options.allowHosts, ...allowHosts] });
  }
}

/** Makes a client that can only look; it tells about its waits on stderr. */
export function lookClient(connection: Connection, options: ClientOptions): LookClient {
  const { target, clock, fetch } = connection;
  const own = { clock, onNote: noteLater, ...(fetch === undefined ? {} : { fetch }) };
  return createLookClient(target, { ...own, ...options });
}

/** Makes a client that can also take what the service hands out once. */
export function consumeClient(connection: Connection, options: ClientOptions): ConsumeClient {
  const { target, clock, fetch } = connection;
  const own = { clock, onNote: noteLater, ...(fetch === undefined ? {} : { fetch }) };
  return createConsumeClient(target, { ...own, ...options });
}

/** Opens stderr's way only when there is something to tell. */
function noteLater(text: string): void {
  void import("./_report.ts")
    .then(({ openReport }) => openReport(environment()))
    .then((report) => report.note(text));
}

async function connectSandbox(scenario: string, timeoutMs: number): Promise<Connection> {
  const { makeSandbox } = await import("./_sandbox.ts");
  const box = await makeSandbox({ scenario, origin: SANDBOX_ORIGIN });
  return {
    target: {
      controlUrl: SANDBOX_ORIGIN,
      invokeUrl: `${SANDBOX_ORIGIN}/invoke/v2`,
      host: new URL(SANDBOX_ORIGIN).host,
      key: box.key,
      readKey: box.key,
      keySource: "the sandbox",
      timeoutMs,
    },
    clock: box.clock,
    fetch: (request) => box.fetch(request),
    sandbox: true,
  };
}
