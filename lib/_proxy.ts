import { isLoopback } from "./api/hosts.ts";
import { ReadbackError } from "./errors.ts";
import type { Environment } from "./target.ts";

/**
 * Checks that no proxy of the environment would carry a loopback request, and with it the key, in plain text to another
 * machine. Bun is told so per request (`lib/api/wire.ts`), Node looks at these variables only when asked to, and Deno
 * has no such switch.
 *
 * @throws usage_error with the variable to set
 */
export function assertNoProxy(env: Environment, baseUrls: readonly string[]): void {
  const obeyed = "Deno" in globalThis || isSet(env["NODE_USE_ENV_PROXY"]);
  const variable = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].find((name) => isSet(env[name]));
  if (!obeyed || "Bun" in globalThis || variable === undefined) return;
  for (const base of baseUrls) {
    const url = new URL(base);
    if (url.protocol === "https:" || !isLoopback(url.hostname) || isExempt(url, env)) continue;
    const text = `${variable} would carry the requests to ${url.host}, and the key in them, to a proxy`;
    throw new ReadbackError("usage_error", `${text}; set NO_PROXY=${url.hostname}`);
  }
}

function isExempt(url: URL, env: Environment): boolean {
  const entries = (env["no_proxy"] ?? env["NO_PROXY"] ?? "").split(",").map((entry) => entry.trim());
  return entries.some((entry) => entry === "*" || entry === url.hostname || `[${entry}]` === url.hostname);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
