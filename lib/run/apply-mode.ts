import { ReadbackError } from "../errors.ts";
import { requestDocument } from "../plan/document.ts";
import type { Mutation } from "../plan/mutation.ts";
import type { Plan } from "../plan/plan.ts";
import type { Applier } from "./applier.ts";
import type { Mode } from "./mode.ts";
import type { View } from "./view.ts";

/**
 * The mode of a recipe that runs again under its plan: each change must equal the next planned one, or it is refused
 * before sending. Where the plan is incomplete, changes of the scopes that may still follow are accepted after its last.
 */
export function createApplyMode(plan: Plan, applier: Applier, view: View): Mode {
  let next = 0;
  return {
    name: "apply",
    nextNumber: () => next + 1,
    async commit(mutation) {
      assertPlanned(mutation, plan.mutations[next], plan);
      const planned = plan.mutations[next] ?? mutation;
      next += 1;
      const applied = await applier.apply(planned.kind === "patch" ? planned : mutation);
      if (applied.after) view.took(applied.after);
      if (applied.error) throw applied.error;
      return applied;
    },
    wait: (wait) => wait.untilThere(),
    onlyInApply: (_, work) => work(),
  };
}

function assertPlanned(mutation: Mutation, planned: Mutation | undefined, plan: Plan): void {
  if (planned === undefined) {
    const may = plan.unknown?.remainingScopes ?? [];
    if (mutation.scopes.every((scope) => may.includes(scope))) return;
    throw mismatch(mutation, "nothing more");
  }
  if (identity(mutation) !== identity(planned)) throw mismatch(mutation, planned.summary);
}

/** What makes two changes the same: endpoint, request, and what it puts back. */
function identity(mutation: Mutation): string {
  const { endpoint, request, restores } = mutation;
  return JSON.stringify([endpoint, request.method, request.url, sent(mutation), restores]);
}

function sent(mutation: Mutation): unknown {
  if (mutation.kind === "shell") return mutation.command;
  return mutation.kind === "patch" ? mutation.request.body : mutation.prepared.body;
}

function mismatch(mutation: Mutation, planned: string): ReadbackError {
  return new ReadbackError(
    "plan_mismatch",
    `Refused before sending it: the recipe now would ${lower(mutation.summary)}, where the plan showed ${planned}`,
    { details: { endpoint: mutation.endpoint, planned, found: requestDocument(mutation) } },
  );
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
