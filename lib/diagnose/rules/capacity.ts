import type { GpuType } from "../../api/catalog.ts";
import { costOf } from "../../plan/cost.ts";
import { fix, updateWords } from "../command.ts";
import { countText } from "../count-text.ts";
import { counted, queueEvidence, workerCounts } from "../evidence.ts";
import { type Facts, placed, starting } from "../facts.ts";
import { advice, type Evidence, type Outcome, type Recommendation, ruledOut } from "../finding.ts";
import { stockEvidence } from "./_stock.ts";

/**
 * The selected GPU cannot be had: workers are throttled, or there is none and the catalog has no stock (runpod-api.md 4.6).
 * Right after a submit there is no worker either; only the stock tells the two apart.
 */
export function capacity(facts: Facts): Outcome {
  const { endpoint, waiting, counts, inProgress } = facts;
  const { min, max } = endpoint.workers;
  if (max === 0 || (waiting === 0 && counts.throttled === 0)) return null;
  const needed = waiting > 0 || placed(counts) < min;
  if (!needed) return null;
  // A worker that starts has its host: throttled ones beside it are the scaler's reserve.
  if (starting(facts) > 0 && inProgress === 0) return notIt(facts);
  if (counts.throttled > 0 && placed(counts) < max) return finding(facts);
  const noWorker = counts.total === 0 && starting(facts) === 0 && inProgress === 0;
  if (noWorker && facts.stock?.level === "NONE") return finding(facts);
  if (noWorker && facts.reads.catalog?.ok === false) return unsettled();
  return notIt(facts);
}

function finding(facts: Facts): Outcome {
  const { counts, stock } = facts;
  const isHad = stock?.level === "MEDIUM" || stock?.level === "HIGH";
  return {
    finding: {
      cause: "capacity",
      severity: isHad || placed(counts) > 0 ? "warning" : "critical",
      summary: summaryOf(facts),
      evidence: [
        ...fieldsOfHealth(facts),
        ...workerCounts(facts),
        ...queueEvidence(facts),
        ...stockEvidence(facts),
        ...suggested(facts),
      ],
      recommendations: adviceFor(facts),
    },
  };
}

function summaryOf({ counts, stock }: Facts): string {
  const what = stock === null ? "the hosts it may run on are full" : stock.text;
  return counts.throttled > 0
    ? `${counts.throttled} of ${countText(counts.total, "worker")} throttled, which means waiting for a host: ${what}`
    : `No worker can be placed: ${what}`;
}

function fieldsOfHealth({ health }: Facts): readonly Evidence[] {
  const throttled = health?.workers.throttled;
  return throttled === undefined ? [] : [counted("health", "workers.throttled", throttled)];
}

/** More places to run on; never a higher maximum, which would only wait too. */
function adviceFor(facts: Facts): readonly Recommendation[] {
  const { endpoint, stock } = facts;
  const pinned = endpoint.dataCenterIds.length > 0;
  const isHad = stock?.level === "MEDIUM" || stock?.level === "HIGH";
  return [
    ...(isHad
      ? [advice("Read again in a minute: with this stock, throttled workers come up by themselves")]
      : []),
    ...(pinned ? centers(facts) : []),
    ...pools(facts),
    advice("Or wait until there is stock: readback gpus shows it by type and data center"),
  ];
}

/** The stock of what the advice names. */
function suggested(facts: Facts): readonly Evidence[] {
  const types = [bestOf(facts, facts.endpoint.gpu?.pools ?? []), bestOf(facts, null)];
  return types.flatMap((type) =>
    type === null ? [] : [counted("gpuTypes", `${type.id} (${type.name}).availability`, type.availability)],
  );
}

/** A volume ties the endpoint to its data center: leaving it means leaving the volume (case B86). */
function centers(facts: Facts): readonly Recommendation[] {
  const { endpoint } = facts;
  if (endpoint.networkVolumes.length > 0)
    return [
      advice(
        `The endpoint is tied to ${endpoint.dataCenterIds.join(", ")} by dataCenterIds and by a network volume: elsewhere its data would have to be copied first`,
      ),
    ];
  const elsewhere = bestOf(facts, endpoint.gpu?.pools ?? []);
  if (elsewhere === null) return [];
  return [
    fix(
      `Let it run in any data center: ${elsewhere.name} is ${elsewhere.availability} over all of them`,
      updateWords(endpoint.id, "--clear-data-center-ids"),
    ),
  ];
}

/** One more pool whose cards are as large and can be had. */
function pools(facts: Facts): readonly Recommendation[] {
  const { endpoint, catalog } = facts;
  const { gpu } = endpoint;
  if (!gpu || catalog === null) return [];
  const other = bestOf(facts, null);
  if (other === null || other.pool === null) return [];
  const wider = { ...endpoint, gpu: { ...gpu, pools: [...gpu.pools, other.pool] } };
  return [
    fix(
      `Let it run on one more pool: ${other.name} is ${other.availability}`,
      updateWords(endpoint.id, "--pools", [...gpu.pools, other.pool].join(",")),
      costOf(endpoint, wider, catalog),
    ),
  ];
}

/** The cheapest type with good stock, in the given pools, or in any other one that is at least as large. */
function bestOf({ endpoint, catalog }: Facts, inPools: readonly string[] | null): GpuType | null {
  const own = endpoint.gpu?.pools ?? [];
  const excluded = new Set(endpoint.gpu?.excludedTypes ?? []);
  const memory = Math.min(
    ...(catalog ?? []).filter(({ pool }) => pool !== null && own.includes(pool)).map((type) => type.memory),
  );
  const fits = (catalog ?? []).filter((type) => {
    if (
      type.pool === null ||
      !isGood(inPools === null ? levelFor(type, endpoint.dataCenterIds) : type.availability)
    )
      return false;
    return inPools === null
      ? !own.includes(type.pool) && type.memory >= memory
      : inPools.includes(type.pool) && !excluded.has(type.id);
  });
  const price = (type: GpuType): number => type.price.serverless ?? Number.MAX_VALUE;
  return fits.toSorted((a, b) => price(a) - price(b))[0] ?? null;
}

function levelFor(type: GpuType, wanted: readonly string[]): string | undefined {
  if (wanted.length === 0) return type.availability;
  return (type.dataCenters ?? []).find(({ id, availability }) => wanted.includes(id) && isGood(availability))
    ?.availability;
}

function isGood(level: string | undefined): boolean {
  return level === "MEDIUM" || level === "HIGH";
}

function unsettled(): Outcome {
  return {
    unsettled: {
      because:
        "no worker is listed while jobs wait, and the GPU catalog could not be read: a start and a shortage look the same",
      read: "the stock of the selected GPU types",
      command: "readback gpus",
    },
  };
}

function notIt(facts: Facts): Outcome {
  const { waiting, counts, stock, inProgress } = facts;
  if (waiting === 0) return null;
  const level = stock === null || stock.level === null ? "" : `, and ${stock.text}`;
  const starts = starting(facts) > 0 ? `, ${countText(starting(facts), "worker")} starting` : "";
  const runs = inProgress > 0 ? `, ${countText(inProgress, "job")} in progress` : "";
  return ruledOut("capacity", `workers.summary.throttled is ${counts.throttled}${starts}${runs}${level}`);
}
