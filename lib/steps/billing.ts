import type { Billing, BillingQuery } from "../api/billing.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";

/**
 * Reads what Serverless endpoints cost, in USD, one record an endpoint and bucket of time (runpod-api.md 2.14). A bucket
 * without a record is one without a bill.
 *
 * @throws api_error - the answer is no bill; what else a read can fail with
 * @example
 * ```ts
 * const { records } = await billing(ops, { endpoint, bucketSize: "day", lastN: 7 });
 * records.reduce((sum, { totalAmount }) => sum + totalAmount, 0); // 8.9
 * ```
 */
export async function billing(ops: Ops, query: BillingQuery = {}): Promise<Billing> {
  return await engineOf(ops).billing(query);
}
