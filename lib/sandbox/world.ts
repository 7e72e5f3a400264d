import type { Availability } from "../api/catalog.ts";
import type { EndpointType, FlashBoot, Scaling } from "../api/endpoint.ts";
import { DATA_CENTER_ROWS, type DataCenterRow } from "./data/data-centers.ts";
import { GPU_ROWS, type GpuRow } from "./data/gpus.ts";
import { SANDBOX_TEMPLATES, type WorldTemplate } from "./data/templates.ts";
import type { Fleet } from "./fleet/fleet.ts";
import { createRandom, drawId, drawUuid } from "./random.ts";

/** An endpoint as the sandbox keeps it; reads show it through `showEndpoint`. */
export interface WorldEndpoint {
  readonly id: string;
  name: string;
  readonly type: EndpointType;
  image: string;
  args: string;
  disk: number;
  ports: string[];
  env: Record<string, string>;
  registry: string | null;
  /** Null on a CPU endpoint. */
  gpu: WorldGpu | null;
  /** Null on a GPU endpoint. */
  cpu: WorldCpu[] | null;
  /** `idleTimeout` (seconds) is kept also where reads leave it out. */
  workers: { min: number; max: number; idleTimeout: number };
  scaling: Scaling;
  dataCenterIds: string[];
  networkVolumes: string[];
  /** Milliseconds. */
  timeout: number;
  flashboot: FlashBoot;
  readonly createdAt: string;
  /** What releases and workers call `endpointVersion`. */
  version: number;
}

export interface WorldGpu {
  pools: string[];
  excludedTypes: string[];
  count: number;
  allowedCudaVersions: string[];
  minCudaVersion: string | null;
}

export interface WorldCpu {
  id: string;
  vcpuCount: number;
}

export interface WorldRelease {
  readonly id: string;
  readonly version: number;
  readonly source: "GIT_BUILD" | "MANUAL";
  readonly buildId: string | null;
  readonly createdByUserId: string | null;
  readonly createdAt: string;
  readonly diff: readonly { readonly field: string; readonly old: unknown; readonly new: unknown }[];
}

/** What reads of an endpoint still show after a change that is not visible yet. */
export interface Hidden {
  /** The state before; null where the endpoint did not exist. */
  readonly before: WorldEndpoint | null;
  /** Reads that it still takes. */
  reads: number;
  /** Sandbox time until which it lasts, in milliseconds. */
  readonly untilMs: number;
}

/** Everything the sandbox holds. Tests read and write it directly. */
export interface World {
  readonly seed: number;
  readonly endpoints: Map<string, WorldEndpoint>;
  /** By endpoint id, newest first. */
  readonly releases: Map<string, WorldRelease[]>;
  readonly templates: WorldTemplate[];
  readonly gpus: GpuRow[];
  readonly dataCenters: DataCenterRow[];
  /** Stock that overrules the seed's, by `TYPE@DATACENTER`. */
  readonly stock: Map<string, Availability>;
  /** By endpoint id. */
  readonly hidden: Map<string, Hidden>;
  /** Jobs and workers, by endpoint id. */
  readonly fleets: Map<string, Fleet>;
  /** What `/health` still says of endpoints that are gone, by id. */
  readonly graves: Map<string, { readonly health: unknown; readonly untilMs: number }>;
  /** An id of 8 characters that nothing has yet. */
  newId(): string;
  /** A UUID that nothing has yet. */
  newUuid(): string;
}

/** A world without endpoints: the catalogs and the templates. */
export function createWorld(seed: number): World {
  const random = createRandom(seed, "ids");
  const uuids = createRandom(seed, "uuids");
  return {
    seed,
    endpoints: new Map(),
    releases: new Map(),
    templates: structuredClone([...SANDBOX_TEMPLATES]),
    gpus: [...GPU_ROWS],
    dataCenters: [...DATA_CENTER_ROWS],
    stock: new Map([
      ["NVIDIA L40S@US-KS-2", "LOW"],
      ["NVIDIA GeForce RTX 4090@US-KS-2", "HIGH"],
      ["NVIDIA A100 80GB PCIe@US-KS-2", "MEDIUM"],
    ]),
    hidden: new Map(),
    fleets: new Map(),
    graves: new Map(),
    newId: () => drawId(random, 8),
    newUuid: () => drawUuid(uuids),
  };
}
