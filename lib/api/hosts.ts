import { ReadbackError } from "../errors.ts";
import type { Plane } from "./routes.ts";

/** Where a base URL came from, for the messages. */
export interface BaseUrl {
  readonly plane: Plane;
  /** Without a trailing slash; the control plane's without `/v2`, the invoke plane's with it. */
  readonly url: string;
  /** The variable or file it came from; null for the built-in address. */
  readonly source: string | null;
}

export const DEFAULT_URLS: Readonly<Record<Plane, string>> = {
  control: "https://api.runpod.io",
  invoke: "https://api.runpod.ai/v2",
};

/**
 * Runpod's own hosts (runpod-api.md 1.1), by name and never by suffix: below `api.runpod.ai` and `proxy.runpod.net`
 * answer the containers of anyone.
 */
const RUNPOD_HOSTS: Readonly<Record<Plane, Readonly<Record<string, Family>>>> = {
  control: { "api.runpod.io": "runpod", "v2-rest.runpod.io": "runpod", "v2-rest.runpod.dev": "runpod-dev" },
  invoke: { "api.runpod.ai": "runpod", "dev-api.runpod.ai": "runpod-dev" },
};

const PLANE_NAMES: Readonly<Record<Plane, string>> = { control: "control plane", invoke: "invoke plane" };

type Family = "runpod" | "runpod-dev" | "other";

/**
 * Reads a base URL as people write it: with and without a trailing slash, with and without `/v2`.
 *
 * @throws usage_error when it is no plain http(s) address
 */
export function parseBaseUrl(plane: Plane, value: string, source: string): BaseUrl {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw unusable(source, "is not an http or https URL");
  if (url.username !== "" || url.password !== "") throw unusable(source, "carries a user name or a password");
  if (url.search !== "" || url.hash !== "") throw unusable(source, "carries a query or a fragment");
  const path = url.pathname.replace(/\/+$/, "").replace(/\/v2$/, "");
  return { plane, url: `${url.origin}${path}${plane === "invoke" ? "/v2" : ""}`, source };
}

/**
 * Checks that a key may be sent to both planes: Runpod's hosts, loopback, and https hosts that the person allowed; and
 * that both planes are of one family, since a key of one platform must not reach the other.
 *
 * @throws usage_error otherwise, naming the host, or both hosts of a mix
 */
export function assertHosts(control: BaseUrl, invoke: BaseUrl, allowHosts: readonly string[]): void {
  const families = [control, invoke].map((base) => familyOf(base, allowHosts));
  if (families[0] === families[1]) return;
  throw new ReadbackError(
    "usage_error",
    `The two planes do not belong together: ${describe(control)}, ${describe(invoke)}. Override both or neither`,
  );
}

/** True for an address that cannot leave this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function familyOf(base: BaseUrl, allowHosts: readonly string[]): Family {
  const url = new URL(base.url);
  const known = RUNPOD_HOSTS[base.plane][url.host];
  if (isLoopback(url.hostname)) return "other";
  if (url.protocol === "http:") {
    throw unusable(
      base.source,
      `would send the key to ${url.host} over plain http; only loopback may do that`,
    );
  }
  if (known !== undefined) return known;
  if (allowHosts.some((host) => host.toLowerCase() === url.host)) return "other";
  throw unusable(
    base.source,
    `points to ${url.host}, which is not Runpod's ${PLANE_NAMES[base.plane]}; to send the key there anyway: --allow-host ${url.host}`,
  );
}

function describe(base: BaseUrl): string {
  const origin = base.source === null ? "not overridden" : base.source;
  return `the ${PLANE_NAMES[base.plane]} is ${new URL(base.url).host} (${origin})`;
}

function unusable(source: string | null, why: string): ReadbackError {
  return new ReadbackError("usage_error", `${source ?? "The base URL"} ${why}`);
}
