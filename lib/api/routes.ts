import type { Scope } from "../scopes.ts";
import { PATCH_FIELDS, type PatchField } from "./endpoint.ts";

export type Plane = "control" | "invoke";

/** `look` reads, `change` changes something, `consume` is a read that takes away what it reads. */
export type RouteKind = "look" | "change" | "consume";

export interface Route {
  readonly name: string;
  readonly plane: Plane;
  readonly method: "GET" | "POST" | "PATCH";
  /** Path below the plane's base, `{x}` for one percent-encoded segment. */
  readonly path: string;
  readonly kind: RouteKind;
  /** Query parameters that may be sent. */
  readonly query: readonly string[];
  /** The scopes that a change needs, read off its body. */
  readonly scopes: (body: unknown) => readonly Scope[];
}

const BILLING_QUERY = ["startTime", "endTime", "bucketSize", "lastN", "serverlessId"];

const none = (): readonly Scope[] => [];

/**
 * The closed list of every request that Readback can make. The transport refuses whatever is not in it.
 * Source: runpod-api.md 2.1 (control plane) and 3.1 (invoke plane).
 */
export const ROUTES: readonly Route[] = [
  look("listEndpoints", "/v2/serverless"),
  look("readEndpoint", "/v2/serverless/{id}"),
  { ...look("patchEndpoint", "/v2/serverless/{id}"), method: "PATCH", kind: "change", scopes: patchScopes },
  look("listReleases", "/v2/serverless/{id}/releases"),
  look("listWorkers", "/v2/serverless/{id}/workers"),
  look("readWorkerLogs", "/v2/serverless/{id}/workers/{worker}/logs", ["source", "tail", "since"]),
  // Not /v2/billing/endpoints, which is another product's money (runpod-api.md 2.14).
  look("billingServerless", "/v2/billing/serverless", BILLING_QUERY),
  look("listGpuTypes", "/v2/catalog/gpus", ["include", "product", "minCudaVersion"]),
  invoke("health", "/{id}/health"),
  // Without `ttl`, which the service takes here too: it would change how long the job lives (runpod-api.md 3.1).
  invoke("readStatus", "/{id}/status/{job}"),
  invoke("holdStatus", "/{id}/status-sync/{job}", ["wait"]),
  { ...invoke("readStream", "/{id}/stream/{job}", ["wait"]), kind: "consume" },
  invokeChange("run", "/{id}/run"),
  invokeChange("cancel", "/{id}/cancel/{job}"),
  invokeChange("retry", "/{id}/retry/{job}"),
  invokeChange("purge", "/{id}/purge-queue"),
];

/** Finds the route of a request, or null when Readback has none for it. */
export function matchRoute(plane: Plane, method: string, pathname: string): Route | null {
  return (
    ROUTES.find(
      (route) => route.plane === plane && route.method === method && samePath(route.path, pathname),
    ) ?? null
  );
}

function look(name: string, path: string, query: readonly string[] = []): Route {
  return { name, plane: "control", method: "GET", path, kind: "look", query, scopes: none };
}

function invoke(name: string, path: string, query: readonly string[] = []): Route {
  return { ...look(name, path, query), plane: "invoke" };
}

function invokeChange(scope: "run" | "cancel" | "retry" | "purge", path: string): Route {
  return { ...invoke(scope, path), method: "POST", kind: "change", scopes: () => [scope] };
}

function samePath(pattern: string, pathname: string): boolean {
  const wanted = pattern.split("/");
  const given = pathname.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith("{") ? isSegment(given[i]) : part === given[i]))
  );
}

function isSegment(segment: string | undefined): boolean {
  return segment !== undefined && segment !== "" && segment !== "." && segment !== "..";
}

function patchScopes(body: unknown): readonly Scope[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.keys(body)
    .filter((key): key is PatchField => (PATCH_FIELDS as readonly string[]).includes(key))
    .map((field): Scope => `patch:${field}`);
}
