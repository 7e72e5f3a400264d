import { ReadbackError } from "../errors.ts";
import type { Target } from "../target.ts";
import type { CallOptions, LookClient, PreparedChange, Reply } from "./client.ts";
import type { EndpointPatch } from "./endpoint.ts";
import { matchRoute } from "./routes.ts";
import { joinUrl, segment } from "./url.ts";

type ReadOptions = Omit<CallOptions, "what">;

/** Reads one endpoint. @throws not_found and what else `look` throws; usage_error for an id that is none */
export async function readEndpoint(
  client: LookClient,
  id: string,
  options: ReadOptions = {},
): Promise<Reply> {
  return await client.look(endpointPath(id), { ...options, what: `read endpoint "${id}"` });
}

/** Lists all endpoints; whether the list is whole, {@link mayBePartial} says. */
export async function listEndpoints(client: LookClient, options: ReadOptions = {}): Promise<Reply> {
  return await client.look("/v2/serverless", { ...options, what: "list endpoints" });
}

export interface GpuTypesOptions extends ReadOptions {
  /** Counts only machines with this CUDA version, `major.minor`, or a newer one. */
  readonly minCuda?: string | undefined;
}

/** Lists the GPU types with their serverless stock (runpod-api.md 2.12). */
export async function listGpuTypes(client: LookClient, options: GpuTypesOptions = {}): Promise<Reply> {
  const { minCuda, ...own } = options;
  return await client.look("/v2/catalog/gpus", {
    ...own,
    query: {
      include: "AVAILABILITY",
      product: "SERVERLESS",
      ...(minCuda === undefined ? {} : { minCudaVersion: minCuda }),
    },
    what: "list GPU types",
  });
}

/** Lists the releases of an endpoint, newest first (runpod-api.md 2.9). */
export async function listReleases(
  client: LookClient,
  id: string,
  options: ReadOptions = {},
): Promise<Reply> {
  return await client.look(`${endpointPath(id)}/releases`, {
    ...options,
    what: `list the releases of endpoint "${id}"`,
  });
}

/** Lists the workers of an endpoint that are up; scaled-down ones are not in it (runpod-api.md 2.8). */
export async function listWorkers(client: LookClient, id: string, options: ReadOptions = {}): Promise<Reply> {
  return await client.look(`${endpointPath(id)}/workers`, {
    ...options,
    what: `list the workers of endpoint "${id}"`,
  });
}

/** Makes the PATCH of an endpoint: its body is sent as these bytes, in this order of keys. */
export function preparePatch(target: Target, id: string, body: EndpointPatch): PreparedChange {
  const path = endpointPath(id);
  const route = matchRoute("control", "PATCH", path);
  if (route === null) throw new ReadbackError("usage_error", `"${id}" is no endpoint id`);
  return { method: "PATCH", url: joinUrl(target.controlUrl, path), body: JSON.stringify(body), route };
}

/**
 * True when a list document carries a sign of further pages. The API documents none, but a later one may cap its lists
 * (runpod-api.md 2.1): then "not in the list" is not "does not exist".
 */
export function mayBePartial(document: unknown): boolean {
  if (!isObject(document)) return false;
  const lists = Object.values(document).filter((value) => Array.isArray(value));
  const counted = lists.length === 1 ? (lists[0]?.length ?? 0) : null;
  const pages = [document, ...Object.values(document).filter(isObject)];
  return pages.some((page) => Object.entries(page).some(([key, value]) => meansMore(key, value, counted)));
}

function endpointPath(id: string): string {
  return `/v2/serverless/${segment(id, "endpoint id")}`;
}

function meansMore(key: string, value: unknown, counted: number | null): boolean {
  if (Array.isArray(value)) return false;
  if (/total|count/i.test(key)) return typeof value === "number" && counted !== null && value > counted;
  if (/next|cursor|more|truncated/i.test(key)) return Boolean(value);
  return false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
