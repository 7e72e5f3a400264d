import type { Endpoint } from "../lib/api/endpoint.ts";
import { mask } from "../lib/api/mask.ts";
import { endpointSecrets, maskedText, maskedValue, plannedSecrets } from "../lib/plan/hidden.ts";
import type { Plan } from "../lib/plan/plan.ts";
import type { Target } from "../lib/target.ts";

/** What must not come out of a recipe's own words: the keys, and values of env that the run read or would set. */
export interface Secrets {
  /** Takes note of the values that a plan read or would set. */
  learn(plan: Plan): void;
  /** Takes note of an endpoint that was read. */
  learnOf(endpoint: Endpoint): void;
  maskedText(text: string): string;
  masked(value: unknown): unknown;
}

/** Starts with the keys of a target. */
export function createSecrets({ key, readKey }: Target): Secrets {
  const keys = [key, readKey].filter((one) => one !== "");
  const hidden: string[] = [];
  return {
    learn({ endpoints, mutations }) {
      hidden.push(
        ...endpointSecrets(endpoints.map(({ endpoint }) => endpoint)),
        ...plannedSecrets(mutations),
      );
    },
    learnOf: (endpoint) => void hidden.push(...endpointSecrets([endpoint])),
    maskedText: (text) => maskedText(mask(text, keys), hidden),
    masked: (value) => maskedValue(value, [...keys, ...hidden]),
  };
}
