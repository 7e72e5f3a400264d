/** One CPU flavor: id, name, generation, GB per vCPU, USD per vCPU-hour on pods and on serverless. */
export interface CpuRow {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly maxVcpu: number;
  readonly ramGbPerVcpu: number;
  readonly securePerVcpu: number;
  readonly serverlessPerVcpu: number;
}

/** The flavors known by id (runpod-api.md 2.12); memory and prices are stand-ins. */
export const CPU_ROWS: readonly CpuRow[] = [
  flavor("cpu3c", "Compute-Optimized", "Gen 3", 2),
  flavor("cpu3g", "General Purpose", "Gen 3", 4),
  flavor("cpu5c", "Compute-Optimized", "Gen 5", 2),
  flavor("cpu5g", "General Purpose", "Gen 5", 4),
];

function flavor(id: string, name: string, group: string, ramGbPerVcpu: number): CpuRow {
  return { id, name, group, maxVcpu: 32, ramGbPerVcpu, securePerVcpu: 0.04, serverlessPerVcpu: 0.03 };
}
