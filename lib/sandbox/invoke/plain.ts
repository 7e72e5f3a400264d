import { type Reply, refuse } from "../reply.ts";
import { isObject } from "../schema.ts";

/** True for paths below the invoke plane's base. */
export function isInvokePath(path: string): boolean {
  return path === "/invoke" || path.startsWith("/invoke/");
}

/** A refusal as this plane words it: plain JSON, no rate headers (runpod-api.md 3.6 and 3.7). */
export function plainReply(reply: Reply): Reply {
  const headers = Object.entries(reply.headers ?? {}).filter(
    ([name]) => !/^(ratelimit|content-type)/.test(name),
  );
  const { json } = reply;
  const isProblem = reply.status >= 400 && isObject(json) && typeof json["detail"] === "string";
  return {
    ...reply,
    ...(isProblem ? { json: { error: json["detail"] } } : {}),
    headers: Object.fromEntries(headers),
  };
}

/** The answer beyond a limit. `retryAfter` null leaves the header out (runpod-api.md 3.6). */
export function tooMany(retryAfter: string | null): Reply {
  const header = retryAfter === null ? {} : { "retry-after": retryAfter };
  return refuse({ status: 429, detail: "too many requests" }, header);
}
