import { invalid, type Problem } from "../reply.ts";
import { type Schema, violations } from "../schema.ts";

/** A comma-separated parameter; undefined when it is absent. */
export function list(query: URLSearchParams, name: string): readonly string[] | undefined {
  return query.get(name)?.split(",");
}

/** A whole number; NaN when it is something else. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** 422 when a parameter fails its schema; parameters without one are ignored. */
export function invalidQuery(
  values: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, Schema>>,
): Problem | null {
  const isWrong = Object.entries(values).some(
    ([name, value]) => value !== undefined && violations(schemas[name] ?? {}, value, name).length > 0,
  );
  return isWrong ? invalid() : null;
}

/** 400 for `include` without `product` and for filters without `include` (runpod-api.md 2.12). */
export function unpairedQuery(query: URLSearchParams, filters: readonly string[]): Problem | null {
  if (query.has("include")) {
    return query.has("product")
      ? null
      : { status: 400, detail: "product is required with include=AVAILABILITY" };
  }
  const filter = ["product", ...filters].find((name) => query.has(name));
  return filter === undefined
    ? null
    : { status: 400, detail: `${filter} is valid only with include=AVAILABILITY` };
}

export const INCLUDE_AVAILABILITY: Schema = {
  type: "array",
  uniqueItems: true,
  items: { type: "string", enum: ["AVAILABILITY"] },
};

/** A list of words out of a fixed set. */
export function words(...allowed: readonly string[]): Schema {
  return { type: "array", items: { type: "string", enum: allowed } };
}
