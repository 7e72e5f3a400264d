import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Billing, parseBilling } from "../../../lib/api/billing.ts";
import { createSandbox } from "../../../lib/sandbox/mod.ts";
import { CPU, call, QUEUE } from "../_client.ts";

async function bill(scenario: string, query: string): Promise<Billing> {
  const answer = await call(createSandbox({ scenario }), `GET /v2/billing/serverless?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return parseBilling(answer.text);
}

function days({ records }: Billing): readonly string[] {
  return records.map(({ startTime }) => startTime.slice(0, 10));
}

describe("the bill", () => {
  const ofQueue = `serverlessId=${QUEUE}&lastN=9`;

  test("has a record for each of the last days of an endpoint in use, the running one included", async () => {
    const { records, metadata } = await bill("healthy", ofQueue);
    assert.equal(records.length, 9);
    assert.deepEqual(
      [records[0]?.startTime, records.at(-1)?.endTime],
      ["2026-11-22T00:00:00Z", "2026-12-01T00:00:00Z"],
    );
    assert.equal(metadata.query.bucketSize, "day");
  });

  test("has none for the days on which no request came", async () => {
    const used = ["2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"];
    assert.deepEqual(days(await bill("idle-3d", ofQueue)), used);
    assert.deepEqual(days(await bill("long-idle", ofQueue)), ["2026-11-22"]);
  });

  test("adds up, and bills a CPU endpoint for CPUs", async () => {
    const { records, metadata } = await bill("healthy", "lastN=3");
    const sum = records.reduce((total, { totalAmount }) => total + totalAmount, 0);
    assert.equal(sum.toFixed(2), metadata.totals?.totalAmount.toFixed(2));
    for (const { totalAmount, gpuAmount, cpuAmount, diskAmount, feeAmount, serverlessId } of records) {
      assert.equal(totalAmount.toFixed(2), (gpuAmount + cpuAmount + diskAmount + feeAmount).toFixed(2));
      assert.equal(serverlessId === CPU, gpuAmount === 0 && cpuAmount > 0);
    }
  });

  test("moves the asked time outward to the edges of buckets", async () => {
    const { metadata } = await bill(
      "healthy",
      "startTime=2026-11-05T10:00:00Z&endTime=2026-11-09T10:00:00Z&bucketSize=week",
    );
    assert.deepEqual(
      [metadata.query.startTime, metadata.query.endTime],
      ["2026-11-02T00:00:00Z", "2026-11-16T00:00:00Z"],
    );
  });
});
