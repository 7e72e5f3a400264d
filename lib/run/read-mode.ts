import { createPlanMode, type PlanMode } from "./plan-mode.ts";
import type { View } from "./view.ts";

/**
 * The mode of a recipe that declares no changes: it waits and streams for real, and nothing is left for an apply. A change
 * never comes this far, since nothing is granted; would one, it were recorded like a plan's and not sent.
 */
export function createReadMode(view: View): PlanMode {
  const planning = createPlanMode(view);
  return { ...planning, wait: (wait) => wait.untilThere(), onlyInApply: (_, work) => work() };
}
