import type { GpuType } from "../../api/catalog.ts";
import { allowedTypes } from "../../plan/gpu-selection.ts";
import { counted, fields } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import type { Evidence } from "../finding.ts";

/** The types that the endpoint's selection allows; none on CPUs and without a catalog. */
export function selectedTypes({ endpoint, catalog }: Facts): readonly GpuType[] {
  return endpoint.gpu && catalog !== null ? allowedTypes(endpoint.gpu, catalog) : [];
}

/** The stock of the selection where the endpoint may run, as evidence. */
export function stockEvidence(facts: Facts): readonly Evidence[] {
  const { dataCenterIds } = facts.endpoint;
  return [
    ...fields(facts, "endpoint", "gpu.pools", "gpu.excludedTypes", "gpu.minCudaVersion"),
    ...fields(facts, "endpoint", "gpu.allowedCudaVersions", "dataCenterIds", "networkVolumes"),
    ...selectedTypes(facts).flatMap((type) => [
      counted("gpuTypes", `${type.id}.availability`, type.availability ?? "not stated"),
      ...dataCenterIds.map((id) =>
        counted("gpuTypes", `${type.id}.dataCenters.${id}`, stockIn(type, id) ?? "not offered"),
      ),
    ]),
  ];
}

function stockIn(type: GpuType, center: string): string | null {
  return (type.dataCenters ?? []).find(({ id }) => id === center)?.availability ?? null;
}
