import { CPU_ROWS } from "../data/cpus.ts";
import type { DataCenterRow } from "../data/data-centers.ts";
import type { Problem } from "../reply.ts";
import type { Schema } from "../schema.ts";
import type { World } from "../world.ts";
import { invalidQuery, list, words } from "./query.ts";
import { cpuStock } from "./show-cpu.ts";
import { stockByDataCenter } from "./stock.ts";

const SCHEMAS: Readonly<Record<string, Schema>> = {
  include: words("GPU_AVAILABILITY", "CPU_AVAILABILITY"),
  regions: words(
    ...["NORTH_AMERICA", "SOUTH_AMERICA", "EUROPE", "ASIA", "MIDDLE_EAST"],
    ...["AFRICA", "OCEANIA", "ANTARCTICA", "UNKNOWN"],
  ),
  networkVolumeTypes: words("STANDARD", "HIGH_PERFORMANCE"),
  compliance: words(
    ...["GDPR", "ISO_IEC_27001", "ISO_14001", "PCI_DSS", "HITRUST", "SOC_1_TYPE_2", "SOC_2_TYPE_2"],
    ...["SOC_3_TYPE_2", "ITAR", "FISMA_HIGH", "HIPAA", "RENEWABLE"],
  ),
  globalNetwork: { type: "string", enum: ["true", "false"] },
};

/** What is wrong with the parameters of the data center catalog, or null. */
export function dataCenterQueryProblem(query: URLSearchParams): Problem | null {
  const lists = ["include", "regions", "networkVolumeTypes", "compliance"];
  const values = Object.fromEntries(lists.map((name) => [name, list(query, name)]));
  return invalidQuery({ ...values, globalNetwork: query.get("globalNetwork") ?? undefined }, SCHEMAS);
}

/** One data center (runpod-api.md 2.13). Compliance and volume types are stand-ins. */
export function showDataCenter(
  world: World,
  [id, name, country, region]: DataCenterRow,
  query: URLSearchParams,
): Record<string, unknown> {
  const included = list(query, "include") ?? [];
  const gpus = included.includes("GPU_AVAILABILITY") ? gpusIn(world, id) : [];
  const cpus = included.includes("CPU_AVAILABILITY") ? cpusIn(world, id) : [];
  return {
    ...{ id, name, region },
    globalNetwork: !id.startsWith("US-IL"),
    networkVolumeTypes: country === "US" ? ["STANDARD", "HIGH_PERFORMANCE"] : ["STANDARD"],
    compliance: [...(region === "EUROPE" ? ["GDPR"] : []), "SOC_2_TYPE_2", "ISO_IEC_27001"],
    ...(gpus.length > 0 ? { gpuAvailability: gpus } : {}),
    ...(cpus.length > 0 ? { cpuAvailability: cpus } : {}),
  };
}

function gpusIn(world: World, dataCenterId: string): readonly Record<string, unknown>[] {
  const question = { count: 1, cloud: "SECURE", countries: [], wantsCuda: () => true };
  return world.gpus.flatMap((gpu) => {
    const stock = stockByDataCenter(world, gpu, { ...question, products: ["POD", "SERVERLESS"] });
    const here = stock.find(({ id }) => id === dataCenterId);
    return here ? [{ id: gpu[0], name: gpu[1], availability: here.availability }] : [];
  });
}

function cpusIn(world: World, dataCenterId: string): readonly Record<string, unknown>[] {
  return CPU_ROWS.map((cpu) => ({
    id: cpu.id,
    name: cpu.name,
    availability: cpuStock(world, cpu, dataCenterId),
  })).filter(({ availability }) => availability !== "NONE");
}
