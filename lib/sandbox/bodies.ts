import type { Schema } from "./schema.ts";

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };
const integer: Schema = { type: "integer" };
const atLeast = (minimum: number): Schema => ({ type: "integer", minimum });
const cudaVersion: Schema = { type: "string", pattern: "^\\d+\\.\\d+$" };

const container = {
  args: text,
  disk: atLeast(1),
  env: { type: "object", values: text },
  image: text,
  ports: texts,
  registry: { type: ["string", "null"] },
} satisfies Record<string, Schema>;

const queueDelay: Schema = {
  type: "object",
  required: ["type", "queueDelay"],
  properties: { type: text, queueDelay: { type: "number", minimum: 0.5 } },
};

const requestCount: Schema = {
  type: "object",
  required: ["type", "requestCount"],
  properties: { type: text, requestCount: atLeast(1) },
};

const endpoint = {
  name: { type: "string", minLength: 1 },
  cpu: {
    type: "array",
    minItems: 1,
    uniqueItems: true,
    items: {
      type: "object",
      required: ["id", "vcpuCount"],
      properties: { id: { type: "string", minLength: 1 }, vcpuCount: atLeast(2) },
    },
  },
  dataCenterIds: texts,
  flashboot: { type: "string", enum: ["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"] },
  networkVolumes: texts,
  scaling: { byType: { QUEUE_DELAY: queueDelay, REQUEST_COUNT: requestCount } },
  timeout: integer,
  workers: {
    type: "object",
    properties: {
      min: atLeast(0),
      max: atLeast(0),
      idleTimeout: { type: "integer", minimum: 1, maximum: 3600 },
    },
  },
} satisfies Record<string, Schema>;

const gpu = {
  pools: { type: "array", minItems: 1, items: text },
  excludedTypes: { type: "array", uniqueItems: true, items: { type: "string", pattern: "^\\s*[^-\\s]" } },
  count: atLeast(1),
  allowedCudaVersions: { type: "array", items: cudaVersion },
} satisfies Record<string, Schema>;

/** The body of `PATCH /v2/serverless/{id}` (UpdateEndpointRequest of the API's own document). */
export const PATCH_BODY: Schema = {
  type: "object",
  properties: {
    ...container,
    ...endpoint,
    templateId: text,
    gpu: {
      type: "object",
      dependentRequired: { excludedTypes: ["pools"] },
      properties: { ...gpu, minCudaVersion: { type: "string", pattern: "^$|^\\d+\\.\\d+$" } },
    },
  },
};

/** The body of `POST /v2/serverless` (CreateEndpointRequest of the API's own document). */
export const CREATE_BODY: Schema = {
  type: "object",
  required: ["name", "type", "scaling"],
  properties: {
    ...container,
    ...endpoint,
    type: { type: "string", enum: ["QUEUE", "LOAD_BALANCER"] },
    templateId: { type: "string", minLength: 1 },
    gpu: { type: "object", required: ["pools"], properties: { ...gpu, minCudaVersion: cudaVersion } },
  },
};

/** What a create adds for a LOAD_BALANCER: it scales on request count only. */
export const BALANCER_SCALING: Schema = { byType: { REQUEST_COUNT: requestCount } };
