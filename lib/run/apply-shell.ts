import { readBackDocument } from "../plan/document.ts";
import { type AppliedMutation, skippedMutation } from "../plan/result.ts";
import type { ShellMutation } from "../plan/shell-mutation.ts";
import type { ReadBack } from "../plan/verdict.ts";
import { announce, record } from "./record.ts";
import { type ApplyParts, asReadbackError, interruptedError } from "./send-change.ts";

/** Runs a shell command once. Its exit status is all the proof there is, and is recorded as that. */
export async function applyShell(mutation: ShellMutation, parts: ApplyParts): Promise<AppliedMutation> {
  const base = skippedMutation(mutation);
  if (parts.signal.aborted) return { ...base, error: interruptedError() };
  try {
    await announce(mutation, null, parts);
  } catch (error) {
    return { ...base, error: asReadbackError(error) };
  }
  try {
    const shell = await mutation.execute();
    const readBack = verifiedBy(shell.exitCode);
    await record({ event: "verified", n: mutation.n, readBack: readBackDocument(readBack) }, parts);
    return { ...base, status: "applied", readBack, shell };
  } catch (thrown) {
    return { ...base, status: "unknown", error: asReadbackError(thrown) };
  }
}

function verifiedBy(exitCode: number): ReadBack {
  const fields = [{ path: "exitCode", expected: 0, actual: exitCode }];
  return { verdict: "verified", fields, otherFields: [], by: null, reads: 0 };
}
