import type { Availability, GpuType } from "../api/catalog.ts";
import { compareCuda, isCudaAtLeast } from "../plan/cuda-version.ts";

export interface StockFilter {
  /** Only this data center counts; letter case does not matter. */
  readonly dataCenter?: string | undefined;
  /** Only CUDA versions from this one on, `major.minor`. */
  readonly minCuda?: string | undefined;
}

/** One GPU type as a person chooses it: what it is, what it costs, where it can be had. */
export interface StockRow {
  /** Type id, as `gpu.excludedTypes` and pin-gpu take it. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Pool id; null for a type that serverless endpoints cannot select. */
  readonly pool: string | null;
  /** VRAM in GB. */
  readonly memoryGb: number;
  /** List price of one GPU for one hour, in USD; null when it is not known. */
  readonly gpuHourUsd: number | null;
  /** The best level among `dataCenters`; null when the catalog does not say. */
  readonly stock: Availability | null;
  /** Data centers that have some, best first. */
  readonly dataCenters: readonly {
    readonly id: string;
    readonly name: string;
    readonly stock: Availability;
  }[];
  /** CUDA versions of its machines, oldest first; `available` false where they are full now. */
  readonly cudaVersions: readonly { readonly version: string; readonly available: boolean }[];
}

const LEVELS: readonly Availability[] = ["HIGH", "MEDIUM", "LOW", "NONE"];

/**
 * Reads the catalog as a list to choose from: types in pools first, by pool and name. With a CUDA floor, types whose
 * machines report no such version are left out.
 */
export function stockList(catalog: readonly GpuType[], filter: StockFilter = {}): readonly StockRow[] {
  return catalog
    .map((type) => rowOf(type, filter))
    .filter(({ cudaVersions }) => filter.minCuda === undefined || cudaVersions.length > 0)
    .toSorted(byPoolAndName);
}

/** The data centers that a catalog names, each once, in order of their ids. */
export function dataCentersOf(catalog: readonly GpuType[]): readonly string[] {
  return [...new Set(catalog.flatMap((type) => (type.dataCenters ?? []).map(({ id }) => id)))].sort();
}

function rowOf(type: GpuType, { dataCenter, minCuda }: StockFilter): StockRow {
  const { id, name, pool, memory, price } = type;
  const dataCenters = centersOf(type).filter(
    (center) => dataCenter === undefined || center.id.toLowerCase() === dataCenter.toLowerCase(),
  );
  const cudaVersions = (type.cudaVersions ?? [])
    .filter(({ version }) => minCuda === undefined || isCudaAtLeast(version, minCuda))
    .map(({ version, available }) => ({ version, available }))
    .toSorted((a, b) => compareCuda(a.version, b.version));
  const stock = dataCenter === undefined ? (type.availability ?? null) : (dataCenters[0]?.stock ?? "NONE");
  return {
    id,
    name,
    pool,
    memoryGb: memory,
    gpuHourUsd: price.serverless ?? null,
    stock: type.availability === undefined && type.dataCenters === undefined ? null : stock,
    dataCenters,
    cudaVersions,
  };
}

function centersOf(type: GpuType): StockRow["dataCenters"] {
  return (type.dataCenters ?? [])
    .map(({ id, name, availability }) => ({ id, name, stock: availability }))
    .filter(({ stock }) => stock !== "NONE")
    .toSorted((a, b) => LEVELS.indexOf(a.stock) - LEVELS.indexOf(b.stock) || compare(a.id, b.id));
}

function byPoolAndName(a: StockRow, b: StockRow): number {
  if ((a.pool === null) !== (b.pool === null)) return a.pool === null ? 1 : -1;
  return compare(a.pool ?? "", b.pool ?? "") || compare(a.id, b.id);
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
