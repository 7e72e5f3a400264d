import type { Problem } from "../reply.ts";
import type { Schema } from "../schema.ts";
import { INCLUDE_AVAILABILITY, integer, invalidQuery, list, unpairedQuery, words } from "./query.ts";
import type { StockQuestion } from "./stock.ts";

const SCHEMAS: Readonly<Record<string, Schema>> = {
  include: INCLUDE_AVAILABILITY,
  product: words("POD", "CLUSTER", "SERVERLESS"),
  count: { type: "integer", minimum: 1 },
  cloud: { type: "string", enum: ["SECURE", "COMMUNITY"] },
  countryCodes: { type: "array", items: { type: "string", pattern: "^[A-Z]{2}$" } },
  cudaVersions: { type: "array", items: { type: "string", pattern: "^\\d+\\.\\d+$" } },
  minCudaVersion: { type: "string", pattern: "^\\d+(\\.\\d+)?$" },
};

type Read =
  | { readonly problem: Problem }
  /** The stock asked about; null when the request asks for none. */
  | { readonly problem: null; readonly question: StockQuestion | null };

/** Reads the parameters of the GPU catalog with all their rules (runpod-api.md 2.12). */
export function readGpuQuery(query: URLSearchParams): Read {
  const values = {
    include: list(query, "include"),
    product: list(query, "product"),
    count: integer(query, "count"),
    cloud: query.get("cloud") ?? undefined,
    countryCodes: list(query, "countryCodes"),
    cudaVersions: list(query, "cudaVersions"),
    minCudaVersion: query.get("minCudaVersion") ?? undefined,
  };
  const problem =
    invalidQuery(values, SCHEMAS) ?? unpairedQuery(query, Object.keys(SCHEMAS).slice(2)) ?? bothCuda(query);
  if (problem) return { problem };
  if (values.include === undefined) return { problem: null, question: null };
  return {
    problem: null,
    question: {
      products: values.product ?? [],
      count: values.count ?? 1,
      cloud: values.cloud ?? "SECURE",
      countries: values.countryCodes ?? [],
      wantsCuda: cudaFilter(values.cudaVersions, values.minCudaVersion),
    },
  };
}

/** Versions compare as numbers: 12.11 is above 12.2. A machine that reports none ("") fits only where none is asked. */
export function cudaFilter(
  exact: readonly string[] | undefined,
  floor: string | undefined,
): (version: string) => boolean {
  if (exact !== undefined) return (version) => exact.includes(version);
  if (floor === undefined) return () => true;
  const [major = 0, minor = 0] = floor.split(".").map(Number);
  return (version) => {
    const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
    return version !== "" && (ownMajor > major || (ownMajor === major && ownMinor >= minor));
  };
}

function bothCuda(query: URLSearchParams): Problem | null {
  return query.has("cudaVersions") && query.has("minCudaVersion")
    ? { status: 400, detail: "cudaVersions and minCudaVersion are mutually exclusive" }
    : null;
}
