import * as v from "valibot";
import { ReadbackError } from "../errors.ts";

/** Reads a document of the documented shape from a reply's text. @throws api_error - it is not JSON, or of another shape */
export function parseAs<T>(schema: v.GenericSchema<unknown, T>, text: string, what: string): T {
  return checkAs(schema, jsonOf(text, what), what);
}

/** The same for what is parsed already. @throws api_error - it is of another shape */
export function checkAs<T>(schema: v.GenericSchema<unknown, T>, document: unknown, what: string): T {
  const result = v.safeParse(schema, document);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  const found = issue.received === "undefined" ? "missing" : "not as documented";
  throw new ReadbackError("api_error", `Cannot read the ${what}: ${path ?? "the answer"} is ${found}`);
}

/** @throws api_error - it is not JSON */
export function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const found =
      text.trim() === "" ? "empty" : text.trimStart().startsWith("<") ? "an HTML page" : "not JSON";
    throw new ReadbackError("api_error", `Cannot read the ${what}: the answer is ${found}`);
  }
}
