/** The endpoint of the control plane, as read (runpod-api.md 2.4). Fields the API adds later are kept. */
export interface Endpoint {
  readonly id: string;
  readonly name: string;
  /** Fixed at creation; the schema does not require it. */
  readonly type?: EndpointType;
  readonly requestUrls?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly args?: string;
  /** Container disk in GB. */
  readonly disk?: number;
  /** `PORT/protocol`. */
  readonly ports?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly registry?: string | null;
  readonly gpu?: EndpointGpu | null;
  /** Present on CPU endpoints only. */
  readonly cpu?: readonly EndpointCpu[];
  readonly workers: EndpointWorkers;
  readonly scaling: Scaling;
  readonly dataCenterIds: readonly string[];
  readonly networkVolumes: readonly string[];
  /** Execution timeout per request, in milliseconds. */
  readonly timeout: number;
  readonly flashboot: FlashBoot;
  readonly createdAt: string;
}

export type EndpointType = "QUEUE" | "LOAD_BALANCER";
export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";

export interface EndpointGpu {
  /** Pool ids such as `ADA_24`; workers run on every type of the pools except `excludedTypes`. */
  readonly pools: readonly string[];
  /** GPU type ids such as `NVIDIA L40`; absent means none. */
  readonly excludedTypes?: readonly string[];
  /** GPUs per worker. @default 1 */
  readonly count?: number;
  /** `major.minor`; empty means any. */
  readonly allowedCudaVersions: readonly string[];
  /** `major.minor`; null means no floor. */
  readonly minCudaVersion: string | null;
}

export interface EndpointCpu {
  readonly id: string;
  readonly vcpuCount: number;
  /** GB; derived by the service, not writable. */
  readonly memory?: number;
}

export interface EndpointWorkers {
  readonly min: number;
  readonly max: number;
  /** Seconds, 1 to 3600; absent on QUEUE endpoints that scale on request count. */
  readonly idleTimeout?: number;
}

export type Scaling =
  | { readonly type: "QUEUE_DELAY"; readonly queueDelay: number }
  | { readonly type: "REQUEST_COUNT"; readonly requestCount: number };

/** The body of `PATCH /v2/serverless/{id}` (runpod-api.md 2.5): what is absent stays as it is. */
export interface EndpointPatch {
  readonly name?: string;
  readonly gpu?: GpuPatch;
  readonly cpu?: readonly { readonly id: string; readonly vcpuCount: number }[];
  readonly workers?: { readonly min?: number; readonly max?: number; readonly idleTimeout?: number };
  readonly scaling?: Scaling;
  readonly dataCenterIds?: readonly string[];
  readonly networkVolumes?: readonly string[];
  /** Milliseconds. */
  readonly timeout?: number;
  readonly flashboot?: FlashBoot;
  readonly image?: string;
  readonly args?: string;
  readonly disk?: number;
  readonly ports?: readonly string[];
  /** Replaces the whole map. */
  readonly env?: Readonly<Record<string, string>>;
  readonly registry?: string | null;
  readonly templateId?: string;
}

/** The writable part of `gpu`. `pools` without `excludedTypes` clears the exclusions. */
export interface GpuPatch {
  readonly pools?: readonly string[];
  readonly excludedTypes?: readonly string[];
  readonly count?: number;
  /** `[]` clears. */
  readonly allowedCudaVersions?: readonly string[];
  /** `""` clears, and reads back as null. */
  readonly minCudaVersion?: string;
}

/** Every field of the PATCH body; each is one scope, `patch:<field>`. */
export const PATCH_FIELDS = [
  "name",
  "gpu",
  "cpu",
  "workers",
  "scaling",
  "dataCenterIds",
  "networkVolumes",
  "timeout",
  "flashboot",
  "image",
  "args",
  "disk",
  "ports",
  "env",
  "registry",
  "templateId",
] as const satisfies readonly (keyof EndpointPatch)[];

export type PatchField = (typeof PATCH_FIELDS)[number];
