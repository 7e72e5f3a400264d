import type { Availability, GpuType } from "../api/catalog.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { isCudaAtLeast } from "./cuda-version.ts";
import { allowedTypes } from "./gpu-selection.ts";

/** The stock of an endpoint's GPU selection where its workers may run. */
export interface Stock {
  /** The best level among the allowed types and data centers; null when the catalog does not say. */
  readonly level: Availability | null;
  readonly text: string;
}

const ORDER: readonly Availability[] = ["NONE", "LOW", "MEDIUM", "HIGH"];

/** Reads the stock of a selection off the catalog, in the endpoint's own data centers where it names some. */
export function stockOf(endpoint: Endpoint, catalog: readonly GpuType[] | null): Stock {
  if (!endpoint.gpu || catalog === null) return { level: null, text: "not read" };
  const types = allowedTypes(endpoint.gpu, catalog);
  const names = types.map((type) => type.name).join(", ");
  const { dataCenterIds: centers } = endpoint;
  const level = best(types.map((type) => levelIn(type, centers)));
  if (level === null) return { level, text: `the catalog states no availability of ${names}` };
  const cuda = cudaGap(endpoint, types);
  if (cuda !== null) return { level: "NONE", text: cuda };
  return { level, text: `${names} is ${level} ${where(centers)}` };
}

/** True when a person should think twice: workers may not be had. */
export function isScarce(stock: Stock): boolean {
  return stock.level === "NONE" || stock.level === "LOW";
}

function levelIn(type: GpuType, centers: readonly string[]): Availability | null {
  if (centers.length === 0) return type.availability ?? null;
  if (type.availability === undefined && type.dataCenters === undefined) return null;
  const here = (type.dataCenters ?? []).filter((center) => centers.includes(center.id));
  // A data center that is not listed does not offer the type (runpod-api.md 2.12).
  return best(here.map((center) => center.availability)) ?? "NONE";
}

function best(levels: readonly (Availability | null)[]): Availability | null {
  const known = levels.filter((level) => level !== null);
  return known.reduce<Availability | null>(
    (top, level) => (top === null || ORDER.indexOf(level) > ORDER.indexOf(top) ? level : top),
    null,
  );
}

function where(centers: readonly string[]): string {
  if (centers.length === 0) return "over all data centers (this endpoint names none)";
  return centers.length === 1
    ? `in ${centers[0]}, the only data center of this endpoint`
    : `in the best of ${centers.join(", ")}, the data centers of this endpoint`;
}

/** Says so when the CUDA constraint leaves no host with free capacity; nothing when it cannot be told. */
function cudaGap(endpoint: Endpoint, types: readonly GpuType[]): string | null {
  const { allowedCudaVersions: allowed = [], minCudaVersion: floor = null } = endpoint.gpu ?? {};
  if (allowed.length === 0 && floor === null) return null;
  const offered = types.flatMap((type) => type.cudaVersions ?? []);
  if (offered.length === 0) return null;
  const fits = (version: string): boolean =>
    allowed.length > 0 ? allowed.includes(version) : isCudaAtLeast(version, floor ?? "0.0");
  if (offered.some((cuda) => cuda.available && fits(cuda.version))) return null;
  const wanted = allowed.length > 0 ? `CUDA ${allowed.join(" or ")}` : `CUDA ${floor} or newer`;
  return `no host of ${types.map((type) => type.name).join(", ")} with ${wanted} has free capacity now`;
}
