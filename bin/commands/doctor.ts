import { isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import { defineCommand } from "../_command.ts";
import { type Connection, connect, lookClient } from "../_connect.ts";
import { type Diagnostics, doctorDocument, doctorText } from "../_doctor.ts";
import { CONNECTION_FLAGS, JSON_FLAG } from "../_flags.ts";
import { printJson, printText } from "../_output.ts";
import { sessionOf } from "../_session.ts";

export default defineCommand({
  meta: { name: "doctor", description: "show key fingerprint, hosts, versions and clock" },
  args: { ...JSON_FLAG, ...CONNECTION_FLAGS },
  async run(context) {
    const { args } = context;
    const session = sessionOf(context);
    const found = await diagnose(() => connect(args, { traceKey: true }), session.signal);
    if (args.json) printJson(doctorDocument(found));
    else printText(doctorText(found));
    if (found.problem === null) return 0;
    await session.report(found.problem);
    return 1;
  },
});

async function diagnose(open: () => Promise<Connection>, signal: AbortSignal): Promise<Diagnostics> {
  const { VERSION } = await import("../../lib/version.ts");
  const base = { version: VERSION, runtime: runtimeName(), target: null, fingerprint: null, clock: null };
  try {
    const connection = await open();
    const { keyFingerprint } = await import("../../lib/api/key.ts");
    const { target } = connection;
    const fingerprint = keyFingerprint(target.key === "" ? target.readKey : target.key);
    return { ...base, ...(await reach(connection, signal)), target, fingerprint };
  } catch (error) {
    if (!isReadbackError(error)) throw error;
    return { ...base, target: await keylessTarget(error), problem: error };
  }
}

/** The hosts, also where there is no key that can be used; null where it is the hosts that are wrong. */
async function keylessTarget(problem: ReadbackError): Promise<Diagnostics["target"]> {
  if (problem.code !== "no_credentials") return null;
  const { environment, loadTarget } = await import("../../lib/config.ts");
  const keyless = { RUNPOD_API_KEY: undefined, RUNPOD_READ_ONLY_API_KEY: undefined };
  return await loadTarget({ env: { ...environment(), ...keyless }, requireKey: false }).catch(() => null);
}

/** One list of the endpoints tells whether the host answers, takes the key, and what time it has. */
async function reach(
  connection: Connection,
  signal: AbortSignal,
): Promise<{ clock: Diagnostics["clock"]; problem: ReadbackError | null }> {
  try {
    const client = lookClient(connection, { signal });
    const { listEndpoints } = await import("../../lib/api/control.ts");
    const { headers } = await listEndpoints(client);
    return { clock: clockOf(headers.get("date"), connection.clock.now()), problem: null };
  } catch (error) {
    if (!isReadbackError(error)) throw error;
    return { clock: null, problem: error };
  }
}

function clockOf(date: string | null, localMs: number): Diagnostics["clock"] {
  const serverMs = Date.parse(date ?? "");
  if (Number.isNaN(serverMs)) return null;
  // The header has whole seconds.
  return { localMs, serverMs, aheadSeconds: Math.round((localMs - serverMs) / 1000) };
}

function runtimeName(): string {
  const { Bun, Deno } = globalThis as { Bun?: { version: string }; Deno?: { version: { deno: string } } };
  if (Bun !== undefined) return `Bun ${Bun.version}`;
  return Deno === undefined ? `Node ${process.versions.node}` : `Deno ${Deno.version.deno}`;
}
