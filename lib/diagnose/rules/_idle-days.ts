import type { Billing } from "../../api/billing.ts";
import type { Facts } from "../facts.ts";

const DAY_MS = 86_400_000;

/** Whole days, right before today, on which no worker of the endpoint ran; null where no read shows it. */
export function idleDays({ reads, endpoint }: Facts): number | null {
  if (!reads.billing?.ok) return null;
  const { value, at } = reads.billing;
  const today = dayOf(Date.parse(at));
  // Days before the endpoint existed, and days that the read does not cover, show nothing.
  const first = Math.max(
    dayOf(Date.parse(value.metadata.query.startTime)),
    dayOf(Date.parse(endpoint.createdAt)) + DAY_MS,
  );
  const used = usedDays(value, endpoint.id);
  let day = today - DAY_MS;
  while (day >= first && !used.has(day)) day -= DAY_MS;
  return Math.round((today - DAY_MS - day) / DAY_MS);
}

/** The start of the newest bucket in which a worker of the endpoint ran; null where the read has none. */
export function lastUse({ reads, endpoint }: Facts): string | null {
  if (!reads.billing?.ok) return null;
  const starts = recordsInUse(reads.billing.value, endpoint.id).map(({ startTime }) => startTime);
  return starts.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}

/** Disk may bill on a day without a request; a GPU or a CPU does not. */
function recordsInUse({ records }: Billing, id: string): Billing["records"] {
  return records.filter((record) => record.serverlessId === id && record.gpuAmount + record.cpuAmount > 0);
}

function usedDays(billing: Billing, id: string): ReadonlySet<number> {
  return new Set(recordsInUse(billing, id).map(({ startTime }) => dayOf(Date.parse(startTime))));
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
