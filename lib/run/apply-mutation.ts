import type { Mutation } from "../plan/mutation.ts";
import type { AppliedMutation } from "../plan/result.ts";
import { applyJob } from "./apply-job.ts";
import { applyPatch } from "./apply-patch.ts";
import type { ApplyParts } from "./send-change.ts";

/** Applies one planned change, whatever it changes. */
export async function applyMutation(mutation: Mutation, parts: ApplyParts): Promise<AppliedMutation> {
  return mutation.kind === "patch" ? await applyPatch(mutation, parts) : await applyJob(mutation, parts);
}
