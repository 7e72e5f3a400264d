/** Stock of a GPU type, as the catalog words it (runpod-api.md 2.12). */
export type Availability = "NONE" | "LOW" | "MEDIUM" | "HIGH";

/** One row of `GET /v2/catalog/gpus?include=AVAILABILITY&product=SERVERLESS`. Fields the API adds later are kept. */
export interface GpuType {
  /** Type id such as `NVIDIA L40S`; what `gpu.excludedTypes` takes. */
  readonly id: string;
  /** Display name such as `L40S`. */
  readonly name: string;
  /** Pool id such as `ADA_48_PRO`; null where the type is in no serverless pool. */
  readonly pool: string | null;
  readonly manufacturer?: string;
  /** VRAM in GB. */
  readonly memory: number;
  /** USD per hour for one GPU; `serverless` is absent where no price is known, which is not free. */
  readonly price: { readonly secure?: number; readonly community?: number; readonly serverless?: number };
  readonly availability?: Availability;
  /** Absent when nothing is available anywhere. */
  readonly dataCenters?: readonly {
    readonly id: string;
    readonly name: string;
    readonly availability: Availability;
  }[];
  /** Absent means empty. `available` false: offered, but full now. */
  readonly cudaVersions?: readonly { readonly version: string; readonly available: boolean }[];
}
