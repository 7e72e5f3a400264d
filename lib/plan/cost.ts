import type { GpuType } from "../api/catalog.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { allowedTypes } from "./gpu-selection.ts";
import { roundUsd } from "./money.ts";

/** An amount in USD before and after; null when it is not known, which is not 0. */
export interface AmountChange {
  readonly before: number | null;
  readonly after: number | null;
}

/** What an endpoint can cost before and after a change, at list prices. */
export interface Cost {
  /** One worker for one hour: the highest price among the allowed types times `gpu.count`. */
  readonly workerHourUsd: AmountChange;
  /** `workers.min` workers for one hour. */
  readonly standingPerHourUsd: AmountChange;
  /** `workers.max` workers for one hour. */
  readonly ceilingPerHourUsd: AmountChange;
  /** How the amounts were made. */
  readonly basis: string;
}

/** The cost before and after. @param catalog null when it was not read: prices are then unknown */
export function costOf(before: Endpoint, after: Endpoint, catalog: readonly GpuType[] | null): Cost {
  const rate = { before: workerHourUsd(before, catalog), after: workerHourUsd(after, catalog) };
  return {
    workerHourUsd: rate,
    standingPerHourUsd: {
      before: times(rate.before, before.workers.min),
      after: times(rate.after, after.workers.min),
    },
    ceilingPerHourUsd: {
      before: times(rate.before, before.workers.max),
      after: times(rate.after, after.workers.max),
    },
    basis: basisOf(before, after, rate),
  };
}

/** The list price of one worker for one hour in USD, or null when a price that could apply is not known. */
export function workerHourUsd(endpoint: Endpoint, catalog: readonly GpuType[] | null): number | null {
  if (!endpoint.gpu || catalog === null) return null;
  const prices = allowedTypes(endpoint.gpu, catalog).map((type) => type.price.serverless);
  const known = prices.filter((price) => price !== undefined);
  if (known.length === 0 || known.length < prices.length) return null;
  return roundUsd(Math.max(...known) * (endpoint.gpu.count ?? 1));
}

/** No worker costs nothing, whatever one would cost. */
function times(rateUsd: number | null, workers: number): number | null {
  if (workers === 0) return 0;
  return rateUsd === null ? null : roundUsd(rateUsd * workers);
}

function basisOf(before: Endpoint, after: Endpoint, rate: AmountChange): string {
  if (!after.gpu) return "CPU prices are not read";
  const count = arrow(before.gpu?.count ?? 1, after.gpu.count ?? 1);
  const min = arrow(before.workers.min, after.workers.min);
  const max = arrow(before.workers.max, after.workers.max);
  const unknown = rate.before === null || rate.after === null ? "; a price is not in the catalog" : "";
  return `price.serverless × gpu.count ${count}; min ${min}, max ${max}; list price${unknown}`;
}

function arrow(before: number, after: number): string {
  return before === after ? `${after}` : `${before} → ${after}`;
}
