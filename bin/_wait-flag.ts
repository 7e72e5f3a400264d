import { ReadbackError } from "../lib/errors.ts";
import { hasFlag } from "./_command.ts";
import { durationOf } from "./_flags.ts";

/**
 * How long a command is to wait, in milliseconds; 0 is not at all. `--no-wait` is read off the words: citty takes it for
 * the opposite of `--wait`.
 *
 * @throws usage_error - no duration, or both flags
 */
export function waitMsOf(
  wait: unknown,
  rawArgs: readonly string[],
  { fallback }: { readonly fallback: string },
): number {
  const isGiven = rawArgs.some((word) => word === "--wait" || word.startsWith("--wait="));
  const noWait = hasFlag(rawArgs, "--no-wait");
  if (noWait && isGiven) {
    const text = "--no-wait and --wait exclude each other: --no-wait is --wait 0";
    throw new ReadbackError("usage_error", text, { followUp: "readback serverless run --help" });
  }
  if (noWait) return 0;
  return durationOf("wait", typeof wait === "string" ? wait : fallback);
}
