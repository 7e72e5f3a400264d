import { invalid, type Problem } from "../reply.ts";
import { type Schema, violations } from "../schema.ts";

/** Reads a JSON body and holds it against a schema: 400 for what is no JSON, 422 for what does not fit. */
export function readBody<Body>(
  text: string,
  schema: Schema,
): { readonly body: Body; readonly problem: null } | { readonly body: null; readonly problem: Problem } {
  const value = parse(text);
  if (value === undefined)
    return { body: null, problem: { status: 400, detail: "request body is not valid JSON" } };
  const errors = violations(schema, value);
  if (errors.length > 0) return { body: null, problem: invalid(errors) };
  return { body: value as Body, problem: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON has no undefined of its own
  }
}
