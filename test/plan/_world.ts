import type { GpuType } from "../../lib/api/catalog.ts";
import type { Endpoint } from "../../lib/api/endpoint.ts";

/** An endpoint as the API documents it (runpod-api.md 2.4), with what a test changes. */
export function endpoint(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    id: "4m7x2k9q",
    name: "image-generator",
    type: "QUEUE",
    image: "acme/sdxl-worker:1.4.2",
    args: "",
    disk: 20,
    ports: ["8000/http"],
    env: { MODEL_NAME: "sdxl", HF_TOKEN: "hf_OLD" },
    registry: null,
    gpu: { pools: ["ADA_24"], count: 1, allowedCudaVersions: [], minCudaVersion: null },
    workers: { min: 0, max: 5, idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    dataCenterIds: ["US-KS-2"],
    networkVolumes: [],
    timeout: 600_000,
    flashboot: "FLASHBOOT",
    createdAt: "2026-06-01T12:00:00Z",
    ...changes,
  };
}

/** A CPU endpoint. */
export function cpuEndpoint(): Endpoint {
  const { gpu: _, ...rest } = endpoint({ id: "7c3v1n8p", name: "cpu-inference" });
  return { ...rest, cpu: [{ id: "cpu5c", vcpuCount: 4, memory: 8 }] };
}

/** A small catalog: ADA_24 has one type, ADA_48_PRO three, AMPERE_48 two, and one type is in no pool. */
export const catalog: readonly GpuType[] = [
  type("NVIDIA GeForce RTX 4090", "RTX 4090", "ADA_24", 1.116, "HIGH"),
  type("NVIDIA L40", "L40", "ADA_48_PRO", 1.908, "MEDIUM"),
  type("NVIDIA L40S", "L40S", "ADA_48_PRO", 1.908, "LOW"),
  type("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada", "ADA_48_PRO", 1.908, "NONE"),
  type("NVIDIA A40", "A40", "AMPERE_48", 1.224, "HIGH"),
  type("NVIDIA RTX A6000", "RTX A6000", "AMPERE_48", 1.224, "HIGH"),
  type("NVIDIA GeForce RTX 5090", "RTX 5090", "ADA_32_PRO", undefined, "HIGH"),
  type("NVIDIA A30", "A30", null, undefined, "NONE"),
];

function type(
  id: string,
  name: string,
  pool: string | null,
  serverless: number | undefined,
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH",
): GpuType {
  return {
    id,
    name,
    pool,
    memory: 48,
    price: { secure: 1, community: 1, ...(serverless === undefined ? {} : { serverless }) },
    availability,
    dataCenters: [{ id: "US-KS-2", name: "US Kansas 2", availability }],
    cudaVersions: [
      { version: "12.8", available: true },
      { version: "13.0", available: false },
    ],
  };
}
