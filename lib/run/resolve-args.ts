import type { LookClient } from "../api/client.ts";
import type { Arg } from "../arg.ts";
import type { Recipe } from "../recipe.ts";
import { resolveEndpoint } from "../resolve.ts";

/** The arguments of a run, with endpoints as ids, and the reads that this took. */
export interface ResolvedArgs {
  readonly values: Readonly<Record<string, unknown>>;
  /** Ids of the endpoints that the person named. */
  readonly named: ReadonlySet<string>;
  /** Endpoint id → text of the endpoint as read: the run's first read of it. */
  readonly answered: ReadonlyMap<string, string>;
}

/** Turns the endpoints that a person named, by id or by name, into ids. @throws not_found, usage_error */
export async function resolveArgs(
  recipe: Recipe,
  parsed: Readonly<Record<string, unknown>>,
  client: LookClient,
): Promise<ResolvedArgs> {
  const values: Record<string, unknown> = {};
  const answered = new Map<string, string>();
  async function idOf(given: string): Promise<string> {
    const { id, text } = await resolveEndpoint(client, given);
    answered.set(id, text);
    return id;
  }
  for (const [key, spec] of Object.entries(recipe.args))
    values[key] = await resolveOne(spec, parsed[key], idOf);
  return { values, named: new Set(answered.keys()), answered };
}

async function resolveOne(
  spec: Arg<unknown>,
  value: unknown,
  idOf: (given: string) => Promise<string>,
): Promise<unknown> {
  if (spec.kind === "endpoint" && typeof value === "string") return await idOf(value);
  if (spec.kind !== "endpoints" || !Array.isArray(value)) return value;
  const ids: string[] = [];
  for (const given of value) ids.push(await idOf(String(given))); // one after the other: answers keep the order given
  return [...new Set(ids)];
}
