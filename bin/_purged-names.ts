import { oneLine } from "../lib/plain-text.ts";
import type { Mutation } from "../lib/plan/mutation.ts";

/**
 * What a person types to agree to the purges of a plan: the name of each endpoint whose queue is cleared, since it clears
 * what others submitted. An endpoint whose name cannot be typed, or does not tell it apart, is typed by its id.
 *
 * @returns one word for each endpoint, in the order of the plan; none where nothing is purged
 */
export function purgedNames(mutations: readonly Mutation[]): readonly string[] {
  const purged = new Map<string, string>();
  for (const mutation of mutations)
    if (mutation.kind === "purge") purged.set(mutation.endpoint, mutation.before.name.trim());
  const names = [...purged.values()];
  return [...purged].map(([id, name]) => {
    const alone = names.filter((other) => other === name).length === 1;
    return alone && name !== "" && oneLine(name) === name ? name : id;
  });
}
