import type { JobMutation } from "../plan/job-mutation.ts";
import type { AppliedMutation } from "../plan/result.ts";
import type { ApplyParts } from "./send-change.ts";
export async function applyJob(_m: JobMutation, _p: ApplyParts): Promise<AppliedMutation> { throw new Error("later"); }
