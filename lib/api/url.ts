import { ReadbackError } from "../errors.ts";

/**
 * Gives one path segment for an id, percent-encoded.
 *
 * @throws usage_error for ids that would change the path: empty, `.` and `..`
 */
export function segment(id: string, what: string): string {
  if (id.trim() === "") throw new ReadbackError("usage_error", `The ${what} is empty`);
  if (id === "." || id === "..") throw new ReadbackError("usage_error", `"${id}" is no ${what}`);
  if (!id.isWellFormed()) throw new ReadbackError("usage_error", `The ${what} is not valid text`);
  return encodeURIComponent(id);
}

/** Joins a base, a path and a query; the query is encoded, the path must be already. */
export function joinUrl(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? `${base}${path}` : `${base}${path}?${search}`;
}

/** The path and query parameters of a URL below a base, or null when it is not below it or would be rewritten. */
export function pathBelow(base: string, url: string): { path: string; query: readonly string[] } | null {
  if (!url.startsWith(`${base}/`) || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.href !== url || parsed.hash !== "") return null;
  const path = url.slice(base.length).split("?")[0] ?? "";
  return { path, query: [...parsed.searchParams.keys()] };
}
