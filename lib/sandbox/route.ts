import type { Fault } from "./faults.ts";
import type { Stage } from "./fleet/site.ts";
import type { Hold } from "./hold.ts";
import type { Author } from "./patch/release.ts";
import type { PatchTwists } from "./patch/twists.ts";
import type { Reply } from "./reply.ts";
import type { ShowOptions } from "./show-endpoint.ts";
import type { World } from "./world.ts";

/** What a route is given to answer one request. */
export interface RouteContext {
  readonly world: World;
  readonly stage: Stage;
  readonly show: ShowOptions;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly bodyBytes: number;
  readonly author: Author;
  /** Sandbox time in milliseconds. */
  readonly nowMs: number;
  /** What faults make of a change. */
  readonly twists: PatchTwists;
  /** Those that hit this request. */
  readonly faults: readonly Fault[];
  /** Keeps the request open. */
  readonly hold: Hold;
  /** To be called when the world has changed. */
  readonly applied: () => void;
}

/** One operation of the API. */
export interface SandboxRoute {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `{x}` stands for one segment. */
  readonly path: string;
  readonly answer: (context: RouteContext) => Reply | Promise<Reply>;
}

/** A route with its path parameters, or the methods that the path has, none for an unknown path. */
export type RouteMatch =
  | { readonly route: SandboxRoute; readonly params: Readonly<Record<string, string>> }
  | { readonly route: null; readonly allow: readonly string[] };

/** Finds the route of a request. */
export function findRoute(routes: readonly SandboxRoute[], method: string, pathname: string): RouteMatch {
  const allow: string[] = [];
  for (const route of routes) {
    const params = matchPath(route.path, pathname);
    if (params === null) continue;
    if (route.method === method) return { route, params };
    allow.push(route.method);
  }
  return { route: null, allow };
}

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = pathname.split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const segment = decode(given[i] ?? "");
    if (part.startsWith("{") ? segment === "" : part !== segment) return null;
    if (part.startsWith("{")) params[part.slice(1, -1)] = segment;
  }
  return params;
}

/** A segment that cannot be decoded names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
