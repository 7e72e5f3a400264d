import type { Facts } from "./facts.ts";
import type { Outcome } from "./finding.ts";

/** Looks at the facts and says what follows for one cause. */
export type Rule = (facts: Facts) => Outcome;
