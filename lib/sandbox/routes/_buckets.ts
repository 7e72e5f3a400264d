/** A stretch of time that a bill sums up; the end is exclusive. Milliseconds since the epoch. */
export interface Bucket {
  readonly startMs: number;
  readonly endMs: number;
}

export type BucketSize = "hour" | "day" | "week" | "month" | "year";

export const DAY_MS = 86_400_000;
/** The first Monday of the epoch: weeks start on Mondays. */
const MONDAY_MS = 4 * DAY_MS;

/** The buckets that a stretch of time touches: it is moved outward to their edges (runpod-api.md 2.14). */
export function bucketsBetween(size: BucketSize, { startMs, endMs }: Bucket): readonly Bucket[] {
  const buckets: Bucket[] = [];
  for (let at = edge(size, startMs, 0); at < endMs; at = edge(size, at, 1))
    buckets.push({ startMs: at, endMs: edge(size, at, 1) });
  return buckets;
}

/** The newest buckets, the running one included, oldest first. */
export function lastBuckets(size: BucketSize, count: number, nowMs: number): readonly Bucket[] {
  const starts = Array.from({ length: count }, (_, n) => edge(size, nowMs, n + 1 - count));
  return starts.map((startMs) => ({ startMs, endMs: edge(size, startMs, 1) }));
}

/** The start of the bucket that holds an instant, moved by whole buckets. */
function edge(size: BucketSize, atMs: number, move: number): number {
  const date = new Date(atMs);
  if (size === "year") return Date.UTC(date.getUTCFullYear() + move, 0);
  if (size === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + move);
  const lengthMs = size === "hour" ? DAY_MS / 24 : size === "day" ? DAY_MS : 7 * DAY_MS;
  const shiftMs = size === "week" ? MONDAY_MS : 0;
  return (Math.floor((atMs - shiftMs) / lengthMs) + move) * lengthMs + shiftMs;
}
