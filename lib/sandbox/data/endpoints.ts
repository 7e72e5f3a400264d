import type { WorldEndpoint } from "../world.ts";

/** The endpoints of every sandbox, before a scenario changes them. */
export const SANDBOX_ENDPOINTS: readonly WorldEndpoint[] = [
  endpoint({
    ...{ id: "4m7x2k9q", name: "image-generator", image: "acme/sdxl-worker:1.4.2" },
    env: {
      MODEL_NAME: "sdxl",
      HF_TOKEN: "{{ RUNPOD_SECRET_hf }}",
      S3_SECRET_ACCESS_KEY: "sandbox-not-a-real-secret-7f3a",
    },
    gpu: gpu(["ADA_24"]),
    dataCenterIds: ["US-KS-2"],
    createdAt: "2026-06-01T12:00:00Z",
    version: 4,
  }),
  endpoint({
    ...{ id: "7c3v1n8p", name: "cpu-inference", image: "acme/onnx-worker:0.8.1" },
    env: { MODEL_NAME: "minilm-l6" },
    cpu: [{ id: "cpu5c", vcpuCount: 4 }],
    workers: { min: 0, max: 3, idleTimeout: 10 },
    createdAt: "2026-06-14T08:30:00Z",
    version: 1,
  }),
  endpoint({
    ...{ id: "9k2w5t1r", name: "chat-lb", type: "LOAD_BALANCER", image: "acme/chat-server:2.0.3" },
    ports: ["8000/http", "8001/http"],
    env: { PORT: "8000", PORT_HEALTH: "8001", HEALTH_CHECK_PATH: "/healthz" },
    gpu: gpu(["AMPERE_80"]),
    workers: { min: 1, max: 4, idleTimeout: 60 },
    scaling: { type: "REQUEST_COUNT", requestCount: 8 },
    dataCenterIds: ["US-KS-2", "US-CA-2"],
    createdAt: "2026-07-02T16:45:00Z",
    version: 2,
  }),
  endpoint({
    ...{ id: "3p8n6v2d", name: "transcriber", image: "acme/whisper-worker:0.9.0" },
    env: { MODEL_NAME: "large-v3" },
    gpu: {
      ...gpu(["AMPERE_48", "ADA_48_PRO"]),
      excludedTypes: ["NVIDIA RTX A6000", "NVIDIA L40"],
      minCudaVersion: "12.4",
    },
    workers: { min: 0, max: 6, idleTimeout: 30 },
    scaling: { type: "REQUEST_COUNT", requestCount: 4 },
    dataCenterIds: ["EU-RO-1", "US-KS-2"],
    timeout: 900_000,
    createdAt: "2026-07-20T09:15:00Z",
    version: 3,
  }),
];

function gpu(pools: string[]): NonNullable<WorldEndpoint["gpu"]> {
  return { pools, excludedTypes: [], count: 1, allowedCudaVersions: [], minCudaVersion: null };
}

function endpoint(
  own: Partial<WorldEndpoint> & Pick<WorldEndpoint, "id" | "name" | "image" | "createdAt" | "version">,
): WorldEndpoint {
  return {
    type: "QUEUE",
    ...{ args: "", disk: 20, ports: [], env: {}, registry: null, gpu: null, cpu: null },
    workers: { min: 0, max: 5, idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    ...{ dataCenterIds: [], networkVolumes: [], timeout: 600_000, flashboot: "FLASHBOOT" as const },
    ...own,
  };
}
