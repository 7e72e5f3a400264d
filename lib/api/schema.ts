import * as v from "valibot";
import { parseAs } from "./_parse.ts";
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

/** Reads one endpoint from a reply's text. @throws api_error - it is not an endpoint of the documented shape. */
export function parseEndpoint(text: string, id?: string): Endpoint {
  return parseAs(endpointSchema, text, id === undefined ? "endpoint" : `endpoint "${id}"`) as Endpoint;
}

/** Reads the list of endpoints. @throws api_error - it is not a list of the documented shape. */
export function parseEndpoints(text: string): readonly Endpoint[] {
  return parseAs(v.looseObject({ endpoints: v.array(endpointSchema) }), text, "list of endpoints")
    .endpoints as unknown as readonly Endpoint[];
}

/**
 * Reads the GPU catalog. The list may hold an `unknown` row, which is none (runpod-api.md 2.12).
 *
 * @throws api_error - it is not a catalog of the documented shape.
 */
export function parseGpuTypes(text: string): readonly GpuType[] {
  const { gpus } = parseAs(v.looseObject({ gpus: v.array(gpuTypeSchema) }), text, "GPU catalog");
  return gpus.filter((type) => type.id !== "unknown") as unknown as readonly GpuType[];
}
