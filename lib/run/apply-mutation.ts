import type { Mutation } from "../plan/mutation.ts";
import type { AppliedMutation } from "../plan/result.ts";
import { applyJob } from "./apply-job.ts";
import { applyPatch } from "./apply-patch.ts";
import { applyShell } from "./apply-shell.ts";
import type { ApplyParts } from "./send-change.ts";

/** Applies one planned change, whatever it changes. */
export async function applyMutation(mutation: Mutation, parts: ApplyParts): Promise<AppliedMutation> {
  if (mutation.kind === "patch") return await applyPatch(mutation, parts);
  if (mutation.kind === "shell") return await applyShell(mutation, parts);
  return await applyJob(mutation, parts);
}
