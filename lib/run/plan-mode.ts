import type { Mutation } from "../plan/mutation.ts";
import type { PlannedWait } from "../plan/plan.ts";
import { LaterError, type LaterInfo, later } from "./later.ts";
import type { Mode } from "./mode.ts";
import type { View } from "./view.ts";

export interface PlanMode extends Mode {
  readonly mutations: readonly Mutation[];
  readonly waits: readonly PlannedWait[];
  /** The value that the recipe looked at although only an apply can know it; null while it did not. */
  readonly looked: LaterInfo | null;
}

/** The mode of a dry run: changes are recorded and laid over the world, waits are looked at once. It cannot send. */
export function createPlanMode(view: View): PlanMode {
  const mutations: Mutation[] = [];
  const waits: PlannedWait[] = [];
  let looked: LaterInfo | null = null;
  const onLook = (about: LaterInfo): void => {
    looked ??= about;
  };
  return {
    name: "plan",
    mutations,
    waits,
    get looked() {
      return looked;
    },
    nextNumber: () => mutations.length + 1,
    async commit(mutation) {
      // What follows a look rests on a value that is not known, whatever the recipe did with the error.
      if (looked) throw new LaterError(looked);
      mutations.push(mutation);
      if (mutation.kind === "patch") view.lay(mutation.endpoint, mutation.request.body);
      return null;
    },
    async wait(wait) {
      const there = await wait.once();
      waits.push({ for: wait.for, budgetMs: wait.budgetMs, nowSatisfied: there !== null });
      return there ?? later({ step: "waitFor", text: `what waiting for ${wait.for} gives` }, onLook);
    },
    onlyInApply: async (about) => later(about, onLook),
  };
}
