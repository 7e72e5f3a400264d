import { integer, invalidQuery } from "../catalog/query.ts";
import { drawFor } from "../random.ts";
import { ok, refuse } from "../reply.ts";
import type { RouteContext, SandboxRoute } from "../route.ts";
import type { Schema } from "../schema.ts";
import type { World, WorldEndpoint } from "../world.ts";
import { type Bucket, type BucketSize, bucketsBetween, DAY_MS, lastBuckets } from "./_buckets.ts";

const INSTANT: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$",
};
const SCHEMAS: Readonly<Record<string, Schema>> = {
  startTime: INSTANT,
  endTime: INSTANT,
  bucketSize: { type: "string", enum: ["hour", "day", "week", "month", "year"] },
  lastN: { type: "integer", minimum: 1 },
};
const DEFAULT_DAYS = 30;
/** More buckets than anybody reads: the rest would only take time. */
const MOST_BUCKETS = 10_000;

/** `GET /v2/billing/serverless` (runpod-api.md 2.14): one record an endpoint and bucket; none where nothing was used. */
export const readBilling: SandboxRoute = {
  name: "readBilling",
  method: "GET",
  path: "/v2/billing/serverless",
  answer(context) {
    const { query } = context;
    const values = {
      startTime: query.get("startTime") ?? undefined,
      endTime: query.get("endTime") ?? undefined,
      bucketSize: query.get("bucketSize") ?? undefined,
      lastN: integer(query, "lastN"),
    };
    const problem = invalidQuery(values, SCHEMAS);
    if (problem) return refuse(problem);
    if (values.lastN !== undefined && (query.has("startTime") || query.has("endTime")))
      return refuse({ status: 400, detail: "lastN is mutually exclusive with startTime and endTime" });
    return ok(showBill(context, (values.bucketSize ?? "day") as BucketSize));
  },
};

function showBill(context: RouteContext, size: BucketSize): Record<string, unknown> {
  const { world, query, nowMs } = context;
  const only = query.get("serverlessId");
  const buckets = bucketsOf(context, size);
  const endpoints = [...world.endpoints.values()].filter(({ id }) => only === null || id === only);
  const records = buckets.flatMap((bucket) =>
    endpoints.flatMap((endpoint) => recordOf(world, endpoint, { bucket, nowMs })),
  );
  return {
    records,
    metadata: {
      query: {
        startTime: text(buckets[0]?.startMs ?? nowMs),
        endTime: text(buckets.at(-1)?.endMs ?? nowMs),
        bucketSize: size,
        ...(only === null ? {} : { serverlessId: only }),
      },
      recordCount: records.length,
      uniqueServerlessCount: new Set(records.map(({ serverlessId }) => serverlessId)).size,
      totals: amounts(sum(records, "gpuAmount"), sum(records, "cpuAmount"), sum(records, "diskAmount")),
    },
  };
}

function bucketsOf({ query, nowMs }: RouteContext, size: BucketSize): readonly Bucket[] {
  const lastN = integer(query, "lastN");
  if (lastN !== undefined) return lastBuckets(size, Math.min(lastN, MOST_BUCKETS), nowMs);
  const endMs = Date.parse(query.get("endTime") ?? text(nowMs));
  const startMs = Date.parse(query.get("startTime") ?? text(endMs - DEFAULT_DAYS * DAY_MS));
  return bucketsBetween(size, { startMs, endMs }).slice(-MOST_BUCKETS);
}

interface Amounts {
  readonly totalAmount: number;
  readonly gpuAmount: number;
  readonly cpuAmount: number;
  readonly diskAmount: number;
  readonly feeAmount: number;
}

type BillRecord = Amounts & {
  readonly serverlessId: string;
  readonly startTime: string;
  readonly endTime: string;
};

function recordOf(
  world: World,
  endpoint: WorldEndpoint,
  { bucket, nowMs }: { bucket: Bucket; nowMs: number },
): readonly BillRecord[] {
  const usd = usedUsd(world, endpoint, { bucket, nowMs });
  if (usd === 0) return [];
  const [gpuUsd, cpuUsd] = endpoint.gpu === null ? [0, usd] : [usd, 0];
  const times = { startTime: text(bucket.startMs), endTime: text(bucket.endMs) };
  return [{ ...times, serverlessId: endpoint.id, ...amounts(gpuUsd ?? 0, cpuUsd ?? 0, cents(usd * 0.05)) }];
}

/** What the endpoint's workers cost: a figure of its own for each day, none before it existed and on days without use. */
function usedUsd(
  { seed, unusedDays }: World,
  { id, createdAt }: WorldEndpoint,
  { bucket, nowMs }: { bucket: Bucket; nowMs: number },
): number {
  const idle = unusedDays.get(id) ?? 0;
  const today = Math.floor(nowMs / DAY_MS);
  const from = Math.max(bucket.startMs, Date.parse(createdAt));
  const to = Math.min(bucket.endMs, idle > 0 ? (today - idle) * DAY_MS : nowMs);
  let usd = 0;
  for (let day = Math.floor(from / DAY_MS); day * DAY_MS < to; day++) {
    const part = (Math.min(to, (day + 1) * DAY_MS) - Math.max(from, day * DAY_MS)) / DAY_MS;
    usd += part * (2 + 6 * drawFor(seed, `bill/${id}/${day}`));
  }
  return cents(usd);
}

function amounts(gpuAmount: number, cpuAmount: number, diskAmount: number): Amounts {
  return {
    totalAmount: cents(gpuAmount + cpuAmount + diskAmount),
    ...{ gpuAmount, cpuAmount, diskAmount, feeAmount: 0 },
  };
}

function sum(records: readonly Amounts[], field: keyof Amounts): number {
  return cents(records.reduce((total, record) => total + record[field], 0));
}

function cents(usd: number): number {
  return Math.round(usd * 100) / 100;
}

function text(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
