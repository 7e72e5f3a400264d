import * as v from "valibot";
import { ReadbackError } from "../errors.ts";
import type { GpuType } from "./catalog.ts";
import type { Endpoint } from "./endpoint.ts";

const texts = v.array(v.string());

// Reads are loose: fields that the API adds later are kept, compared and shown (runpod-api.md 2.4).
const scalingRead = v.variant("type", [
  v.looseObject({ type: v.literal("QUEUE_DELAY"), queueDelay: v.number() }),
  v.looseObject({ type: v.literal("REQUEST_COUNT"), requestCount: v.number() }),
]);

const endpointSchema = v.looseObject({
  id: v.string(),
  name: v.string(),
  type: v.optional(v.picklist(["QUEUE", "LOAD_BALANCER"])),
  requestUrls: v.optional(v.record(v.string(), v.string())),
  image: v.optional(v.string()),
  args: v.optional(v.string()),
  disk: v.optional(v.number()),
  ports: v.optional(texts),
  env: v.optional(v.record(v.string(), v.string())),
  registry: v.optional(v.nullable(v.string())),
  gpu: v.optional(
    v.nullable(
      v.looseObject({
        pools: texts,
        excludedTypes: v.optional(texts),
        count: v.optional(v.number()),
        allowedCudaVersions: texts,
        minCudaVersion: v.nullable(v.string()),
      }),
    ),
  ),
  cpu: v.optional(
    v.array(v.looseObject({ id: v.string(), vcpuCount: v.number(), memory: v.optional(v.number()) })),
  ),
  workers: v.looseObject({ min: v.number(), max: v.number(), idleTimeout: v.optional(v.number()) }),
  scaling: scalingRead,
  dataCenterIds: texts,
  networkVolumes: texts,
  timeout: v.number(),
  flashboot: v.picklist(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]),
  createdAt: v.string(),
});

const level = v.picklist(["NONE", "LOW", "MEDIUM", "HIGH"]);

const gpuTypeSchema = v.looseObject({
  id: v.string(),
  name: v.string(),
  pool: v.nullable(v.string()),
  memory: v.number(),
  price: v.looseObject({ serverless: v.optional(v.number()) }),
  availability: v.optional(level),
  dataCenters: v.optional(v.array(v.looseObject({ id: v.string(), name: v.string(), availability: level }))),
  cudaVersions: v.optional(v.array(v.looseObject({ version: v.string(), available: v.boolean() }))),
});

const releasesSchema = v.looseObject({
  releases: v.array(
    v.looseObject({
      version: v.optional(v.nullable(v.number())),
      source: v.optional(v.nullable(v.string())),
      createdByUserId: v.optional(v.nullable(v.string())),
      createdAt: v.string(),
    }),
  ),
});

/** One release of an endpoint, as far as the question "who changed this" needs it (runpod-api.md 2.9). */
export type Release = v.InferOutput<typeof releasesSchema>["releases"][number];

/** Reads one endpoint from a reply's text. @throws api_error - it is not an endpoint of the documented shape. */
export function parseEndpoint(text: string, id?: string): Endpoint {
  return parse(endpointSchema, text, id === undefined ? "endpoint" : `endpoint "${id}"`) as Endpoint;
}

/** Reads the list of endpoints. @throws api_error - it is not a list of the documented shape. */
export function parseEndpoints(text: string): readonly Endpoint[] {
  return parse(v.looseObject({ endpoints: v.array(endpointSchema) }), text, "list of endpoints")
    .endpoints as unknown as readonly Endpoint[];
}

/**
 * Reads the GPU catalog. The list may hold an `unknown` row, which is none (runpod-api.md 2.12).
 *
 * @throws api_error - it is not a catalog of the documented shape.
 */
export function parseGpuTypes(text: string): readonly GpuType[] {
  const { gpus } = parse(v.looseObject({ gpus: v.array(gpuTypeSchema) }), text, "GPU catalog");
  return gpus.filter((type) => type.id !== "unknown") as unknown as readonly GpuType[];
}

/** Reads the releases, newest first. @throws api_error - it is not a list of the documented shape. */
export function parseReleases(text: string): readonly Release[] {
  return parse(releasesSchema, text, "list of releases").releases;
}

function parse<T>(schema: v.GenericSchema<unknown, T>, text: string, what: string): T {
  const result = v.safeParse(schema, json(text, what));
  if (result.success) return result.output;
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  const found = issue.received === "undefined" ? "missing" : "not as documented";
  throw new ReadbackError("api_error", `Cannot read the ${what}: ${path ?? "the answer"} is ${found}`);
}

function json(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const found =
      text.trim() === "" ? "empty" : text.trimStart().startsWith("<") ? "an HTML page" : "not JSON";
    throw new ReadbackError("api_error", `Cannot read the ${what}: the answer is ${found}`);
  }
}
