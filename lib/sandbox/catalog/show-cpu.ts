import type { CpuRow } from "../data/cpus.ts";
import { drawFor } from "../random.ts";
import type { Problem } from "../reply.ts";
import type { Schema } from "../schema.ts";
import type { World } from "../world.ts";
import { INCLUDE_AVAILABILITY, integer, invalidQuery, list, unpairedQuery, words } from "./query.ts";
import { bestLevel, LEVELS } from "./stock.ts";

const SCHEMAS: Readonly<Record<string, Schema>> = {
  include: INCLUDE_AVAILABILITY,
  product: words("POD", "SERVERLESS"),
  vcpuCount: { type: "integer", minimum: 2 },
};

/** What is wrong with the parameters of the CPU catalog, or null. */
export function cpuQueryProblem(query: URLSearchParams): Problem | null {
  const vcpuCount = integer(query, "vcpuCount");
  const values = { include: list(query, "include"), product: list(query, "product"), vcpuCount };
  const problem = invalidQuery(values, SCHEMAS) ?? unpairedQuery(query, ["vcpuCount"]);
  if (problem) return problem;
  return vcpuCount !== undefined && !Number.isInteger(Math.log2(vcpuCount))
    ? { status: 400, detail: "vcpuCount must be a power of two" }
    : null;
}

/** One row of the CPU catalog, with stock where it is asked for. */
export function showCpuType(world: World, cpu: CpuRow, query: URLSearchParams): Record<string, unknown> {
  const { id, name, group, maxVcpu, ramGbPerVcpu, securePerVcpu, serverlessPerVcpu } = cpu;
  return {
    ...{ id, name, group, vcpu: { min: 2, max: maxVcpu }, ramGbPerVcpu },
    price: { securePerVcpu, serverlessPerVcpu },
    ...(query.has("include") ? showStock(world, cpu, integer(query, "vcpuCount") ?? 2) : {}),
  };
}

/** Stock of a flavor in one data center. */
export function cpuStock(world: World, cpu: CpuRow, dataCenterId: string): (typeof LEVELS)[number] {
  return LEVELS[Math.floor(drawFor(world.seed, `stock/${cpu.id}/${dataCenterId}`) * 4)] ?? "NONE";
}

function showStock(world: World, cpu: CpuRow, vcpuCount: number): Record<string, unknown> {
  const dataCenters = world.dataCenters
    .map(([id, name]) => ({ id, name, availability: cpuStock(world, cpu, id) }))
    .filter(({ availability }) => availability !== "NONE" && vcpuCount <= cpu.maxVcpu);
  return {
    availability: bestLevel(dataCenters.map(({ availability }) => availability)),
    ...(dataCenters.length > 0 ? { dataCenters } : {}),
  };
}
