import type { Reply } from "./wire.ts";

/** What came in place of JSON; pages of an edge are never passed on. */
export function describeBody(reply: Reply): string {
  if (reply.text.trim() === "") return "an empty body";
  const type = reply.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = /^[\w.+/-]+$/.test(type) ? type : "a body of unnamed type";
  return `${known === "text/html" ? "an HTML page" : known} (${reply.text.length} characters)`;
}
