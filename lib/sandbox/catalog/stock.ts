import type { Availability } from "../../api/catalog.ts";
import type { GpuRow } from "../data/gpus.ts";
import { drawFor } from "../random.ts";
import type { World } from "../world.ts";

/** What stock is asked for. */
export interface StockQuestion {
  readonly products: readonly string[];
  readonly count: number;
  readonly cloud: string;
  /** ISO codes; empty is anywhere. */
  readonly countries: readonly string[];
  /** Whether a CUDA version counts. */
  readonly wantsCuda: (version: string) => boolean;
}

export const LEVELS: readonly Availability[] = ["NONE", "LOW", "MEDIUM", "HIGH"];

const CUDA_VERSIONS = ["12.4", "12.5", "12.6", "12.7", "12.8", "12.9", "13.0"];

/** Stock of one GPU type in every data center that has any; none where no machine fits the question. */
export function stockByDataCenter(
  world: World,
  gpu: GpuRow,
  question: StockQuestion,
): readonly { id: string; name: string; availability: Availability }[] {
  const offered = cudaVersionsOf(world, gpu);
  const versions = offered.filter(({ version }) => question.wantsCuda(version));
  if (offered.length > 0 && !versions.some(({ available }) => available)) return [];
  if (offered.length === 0 && !question.wantsCuda("")) return [];
  return world.dataCenters
    .filter(([, , country]) => question.countries.length === 0 || question.countries.includes(country))
    .map(([id, name]) => ({ id, name, availability: stockIn(world, gpu, { ...question, dataCenter: id }) }))
    .filter(({ availability }) => availability !== "NONE");
}

/** The best of several levels. */
export function bestLevel(levels: readonly Availability[]): Availability {
  return LEVELS[Math.max(0, ...levels.map((level) => LEVELS.indexOf(level)))] ?? "NONE";
}

/** The CUDA versions that machines with this GPU report; AMD's report none (runpod-api.md 2.12). */
export function cudaVersionsOf(
  world: World,
  [id]: GpuRow,
): readonly { version: string; available: boolean }[] {
  if (id.startsWith("AMD")) return [];
  return CUDA_VERSIONS.map((version) => {
    const isCommon = version === "12.4" || version === "12.8";
    return { version, available: isCommon || drawFor(world.seed, `cuda/${id}/${version}`) < 0.6 };
  });
}

/** The largest machine of a type, in GPUs. */
export function largestMachine(gpu: GpuRow, cloud: string): number {
  return gpu[2] >= 16 ? (cloud === "COMMUNITY" ? 4 : 8) : 2;
}

function stockIn(world: World, gpu: GpuRow, question: StockQuestion & { dataCenter: string }): Availability {
  const [id, , , pool] = gpu;
  if (question.count > largestMachine(gpu, question.cloud)) return "NONE";
  const levels = question.products.map((product) => {
    if (product === "SERVERLESS" && pool === null) return 0;
    const given = world.stock.get(`${id}@${question.dataCenter}`);
    const level =
      given === undefined
        ? drawLevel(world.seed, `${id}/${question.dataCenter}/${product}/${question.cloud}`)
        : LEVELS.indexOf(given);
    return question.count > 4 ? Math.max(0, level - 1) : level;
  });
  return LEVELS[Math.max(0, ...levels)] ?? "NONE";
}

/** Most types are in some data centers only. */
function drawLevel(seed: number, name: string): number {
  const drawn = drawFor(seed, `stock/${name}`);
  return drawn < 0.65 ? 0 : Math.min(3, 1 + Math.floor((drawn - 0.65) / 0.12));
}
