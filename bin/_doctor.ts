import { errorDocument, type ReadbackError } from "../lib/errors.ts";
import type { Target } from "../lib/target.ts";
import { tableText } from "./_output.ts";

/** What `doctor` found out. */
export interface Diagnostics {
  readonly version: string;
  /** Name and version: `Bun 1.4.5`. */
  readonly runtime: string;
  /** Null where settings are such that nothing can be sent. */
  readonly target: Target | null;
  /** First 8 hex digits of the key's SHA-256. */
  readonly fingerprint: string | null;
  /** Null where the host gave no time. */
  readonly clock: {
    readonly localMs: number;
    readonly serverMs: number;
    readonly aheadSeconds: number;
  } | null;
  readonly problem: ReadbackError | null;
}

/** `readback/doctor@1` (docs/json.md). */
export function doctorDocument(found: Diagnostics): Record<string, unknown> {
  const { version, runtime, target, fingerprint, clock, problem } = found;
  return {
    schema: "readback/doctor@1",
    version,
    runtime,
    key:
      target === null || fingerprint === null
        ? null
        : { fingerprint, source: target.keySource, readOnlyKey: hasReadKey(target) },
    hosts: target === null ? null : { control: hostOf(target.controlUrl), invoke: hostOf(target.invokeUrl) },
    clock:
      clock === null
        ? null
        : {
            local: new Date(clock.localMs).toISOString(),
            server: new Date(clock.serverMs).toISOString(),
            aheadSeconds: clock.aheadSeconds,
          },
    problem: problem === null ? null : errorDocument(problem),
  };
}

/** The same for a person. */
export function doctorText(found: Diagnostics): string {
  const { version, runtime, target, fingerprint, clock, problem } = found;
  return tableText([
    ["Readback", `${version} on ${runtime}`],
    [
      "Key",
      target === null || fingerprint === null
        ? "none that can be used"
        : `${fingerprint} from ${target.keySource}`,
    ],
    ...(target !== null && hasReadKey(target) ? [["Reads with", "RUNPOD_READ_ONLY_API_KEY"]] : []),
    ["Control plane", target === null ? "not decided" : hostOf(target.controlUrl)],
    ["Invoke plane", target === null ? "not decided" : hostOf(target.invokeUrl)],
    ["Clock", clock === null ? "the host gave no time" : clockText(clock.aheadSeconds)],
    ["Problem", problem === null ? "none" : problem.message],
  ]);
}

/** The header has whole seconds, so one second is no difference. */
function clockText(aheadSeconds: number): string {
  if (Math.abs(aheadSeconds) <= 1) return "agrees with the server's";
  return `${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? "ahead of" : "behind"} the server's`;
}

function hasReadKey(target: Target): boolean {
  return target.readKey !== target.key;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
