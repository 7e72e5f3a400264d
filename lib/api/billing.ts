import * as v from "valibot";
import { parseAs } from "./_parse.ts";
import type { CallOptions, LookClient, Reply } from "./client.ts";

/** Which bill to read; without a time the last 30 days (runpod-api.md 2.14). */
export interface BillingQuery {
  /** One endpoint. @default all of the account */
  readonly endpoint?: string;
  /** @default "day" */
  readonly bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The newest buckets, the running one included; not together with a time. */
  readonly lastN?: number;
  /** RFC 3339; the service moves both outward to the edges of buckets. */
  readonly startTime?: string;
  /** RFC 3339, exclusive. */
  readonly endTime?: string;
}

/** Money in USD: total = gpu + cpu + disk + fee. */
export interface BillingAmounts {
  readonly totalAmount: number;
  readonly gpuAmount: number;
  readonly cpuAmount: number;
  readonly diskAmount: number;
  readonly feeAmount: number;
}

/** What one endpoint cost in one bucket of time. */
export interface BillingRecord extends BillingAmounts {
  readonly serverlessId: string;
  /** ISO 8601. */
  readonly startTime: string;
  /** ISO 8601, exclusive. */
  readonly endTime: string;
}

export interface Billing {
  readonly records: readonly BillingRecord[];
  readonly metadata: {
    /** The query as the service understood it: which time it covers. */
    readonly query: { readonly startTime: string; readonly endTime: string; readonly bucketSize?: string };
    readonly totals?: BillingAmounts;
  };
}

const amounts = {
  totalAmount: v.number(),
  gpuAmount: v.number(),
  cpuAmount: v.number(),
  diskAmount: v.number(),
  feeAmount: v.number(),
};

const billingSchema = v.looseObject({
  records: v.array(
    v.looseObject({ serverlessId: v.string(), startTime: v.string(), endTime: v.string(), ...amounts }),
  ),
  metadata: v.looseObject({
    query: v.looseObject({
      startTime: v.string(),
      endTime: v.string(),
      bucketSize: v.optional(v.string()),
    }),
    totals: v.optional(v.looseObject(amounts)),
  }),
});

/** Reads the bill of the Serverless endpoints, one record an endpoint and bucket. @throws what `look` throws */
export async function billingServerless(
  client: LookClient,
  query: BillingQuery = {},
  options: Omit<CallOptions, "what"> = {},
): Promise<Reply> {
  const { endpoint, lastN, ...rest } = query;
  const given = Object.entries({ ...rest, lastN, serverlessId: endpoint });
  return await client.look("/v2/billing/serverless", {
    ...options,
    query: Object.fromEntries(
      given.flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
    ),
    what: endpoint === undefined ? "read the bill" : `read the bill of endpoint "${endpoint}"`,
  });
}

/** Reads a bill. @throws api_error - it is none of the documented shape */
export function parseBilling(text: string): Billing {
  return parseAs(billingSchema, text, "bill") as Billing;
}
