import assert from "node:assert/strict";
import { test } from "node:test";
import type { GpuType } from "../../lib/api/catalog.ts";
import { gpusDocument } from "../../lib/gpus/document.ts";
import { dataCentersOf, stockList } from "../../lib/gpus/stock-list.ts";
import { gpuTable, leftOutText } from "../../lib/gpus/table.ts";

const L40S: GpuType = {
  id: "NVIDIA L40S",
  name: "L40S",
  pool: "ADA_48_PRO",
  memory: 48,
  price: { serverless: 1.908 },
  availability: "HIGH",
  dataCenters: [
    { id: "US-KS-2", name: "US Kansas 2", availability: "LOW" },
    { id: "US-TX-3", name: "US Texas 3", availability: "HIGH" },
    { id: "EU-RO-1", name: "EU Romania 1", availability: "HIGH" },
    { id: "EU-CZ-1", name: "EU Czechia 1", availability: "NONE" },
  ],
  cudaVersions: [
    { version: "12.11", available: true },
    { version: "12.4", available: true },
    { version: "13.0", available: false },
  ],
};
const UNPRICED: GpuType = {
  id: "NVIDIA GeForce RTX 5090",
  name: "RTX 5090",
  pool: "ADA_32_PRO",
  memory: 32,
  price: {},
  availability: "NONE",
};
const POOLLESS: GpuType = { id: "AMD MI300X", name: "MI300X", pool: null, memory: 192, price: {} };
const CATALOG = [POOLLESS, L40S, UNPRICED];

test("types in pools come first, by pool; an unknown price is null and never 0", () => {
  const rows = stockList(CATALOG);
  assert.deepEqual(
    rows.map(({ id, gpuHourUsd, stock }) => [id, gpuHourUsd, stock]),
    [
      ["NVIDIA GeForce RTX 5090", null, "NONE"],
      ["NVIDIA L40S", 1.908, "HIGH"],
      ["AMD MI300X", null, null],
    ],
  );
});

test("data centers that have some come best first, CUDA versions as numbers, oldest first", () => {
  const row = stockList([L40S])[0];
  assert.deepEqual(
    row?.dataCenters.map(({ id, stock }) => `${stock} ${id}`),
    ["HIGH EU-RO-1", "HIGH US-TX-3", "LOW US-KS-2"],
  );
  assert.deepEqual(
    row?.cudaVersions.map(({ version }) => version),
    ["12.4", "12.11", "13.0"],
  );
});

test("one data center alone gives its own stock, and none where it is not listed", () => {
  assert.equal(stockList([L40S], { dataCenter: "us-ks-2" })[0]?.stock, "LOW");
  assert.equal(stockList([L40S], { dataCenter: "EU-CZ-1" })[0]?.stock, "NONE");
  assert.equal(stockList([UNPRICED], { dataCenter: "US-KS-2" })[0]?.stock, "NONE");
  assert.deepEqual(dataCentersOf(CATALOG), ["EU-CZ-1", "EU-RO-1", "US-KS-2", "US-TX-3"]);
});

test("a CUDA floor compares as numbers and leaves out types that report no such version", () => {
  const rows = stockList(CATALOG, { minCuda: "12.5" });
  assert.deepEqual(
    rows.map(({ id, cudaVersions }) => [id, cudaVersions.map(({ version }) => version)]),
    [["NVIDIA L40S", ["12.11", "13.0"]]],
  );
});

test("the table shows types in pools, and says how many it leaves out", () => {
  const rows = stockList(CATALOG);
  assert.deepEqual(gpuTable(rows), [
    ["POOL", "GPU TYPE", "GB", "$/H PER GPU", "STOCK", "CUDA WITH CAPACITY", "DATA CENTERS"],
    ["ADA_32_PRO", "NVIDIA GeForce RTX 5090", "32", "unknown", "NONE", "none", "none"],
    ["ADA_48_PRO", "NVIDIA L40S", "48", "$1.908", "HIGH", "12.4 12.11", "HIGH EU-RO-1 US-TX-3, LOW US-KS-2"],
  ]);
  assert.equal(leftOutText(rows), "1 more type is in no serverless pool; --json lists them too");
  assert.equal(leftOutText(stockList([L40S])), "");
});

test("the document names its schema, its host, its time and its filter", () => {
  const rows = stockList([L40S]);
  const facts = { host: "api.runpod.io", readAt: "2026-12-01T00:00:00.000Z", filter: { minCuda: "12.4" } };
  assert.deepEqual(gpusDocument(rows, facts), {
    schema: "readback/gpus@1",
    host: "api.runpod.io",
    readAt: "2026-12-01T00:00:00.000Z",
    filter: { dataCenter: null, minCuda: "12.4" },
    types: rows,
  });
});
