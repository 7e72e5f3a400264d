/**
 * Why a value cannot be shown as JSON, or null when it can. Values that stand for what is known later, and numbers kept
 * as they were written, are fine.
 *
 * @param isStandIn true for a value that must not be looked at
 */
export function jsonProblem(value: unknown, isStandIn: (value: unknown) => boolean): string | null {
  return problemOf(value, "the value", { isStandIn, above: new Set() });
}

interface Walk {
  readonly isStandIn: (value: unknown) => boolean;
  readonly above: ReadonlySet<unknown>;
}

function problemOf(value: unknown, path: string, walk: Walk): string | null {
  if (["bigint", "function", "symbol"].includes(typeof value)) return `${path} is a ${typeof value}`;
  if (typeof value !== "object" || value === null || walk.isStandIn(value) || isRawJson(value)) return null;
  if (walk.above.has(value)) return `${path} contains itself`;
  const inner = { ...walk, above: new Set([...walk.above, value]) };
  for (const [key, item] of Object.entries(value)) {
    const problem = problemOf(item, path === "the value" ? key : `${path}.${key}`, inner);
    if (problem !== null) return problem;
  }
  return null;
}

/** True for a number that is kept as it was written (`JSON.rawJSON`). */
export function isRawJson(value: unknown): boolean {
  return (JSON as unknown as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value) === true;
}
