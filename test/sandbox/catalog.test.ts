import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../lib/sandbox/mod.ts";
import { call } from "./_client.ts";

const STOCK = "include=AVAILABILITY&product=SERVERLESS";

interface Row {
  id: string;
  pool: string | null;
  price: { serverless?: number };
  availability?: string;
  dataCenters?: { id: string; availability: string }[];
  cudaVersions?: { version: string }[];
}

test("the GPU catalog follows every rule of its parameters", async () => {
  const cases: readonly (readonly [string, number])[] = [
    ["", 200],
    [STOCK, 200],
    ["include=AVAILABILITY&product=POD,SERVERLESS", 200],
    ["include=AVAILABILITY", 400],
    ["product=SERVERLESS", 400],
    ["count=2", 400],
    ["cloud=SECURE", 400],
    ["countryCodes=US", 400],
    [`${STOCK}&cudaVersions=12.8&minCudaVersion=12`, 400],
    [`${STOCK}&countryCodes=fr`, 422],
    [`${STOCK}&countryCodes=FR,de`, 422],
    [`${STOCK}&cudaVersions=12`, 422],
    [`${STOCK}&minCudaVersion=12`, 200],
    [`${STOCK}&minCudaVersion=x`, 422],
    [`${STOCK}&count=0`, 422],
    [`${STOCK}&count=two`, 422],
    [`${STOCK}&cloud=LUNAR`, 422],
    ["include=PRICES&product=POD", 422],
    ["include=AVAILABILITY,AVAILABILITY&product=POD", 422],
    ["include=AVAILABILITY&product=serverless", 422],
    ["undeclared=1", 200],
  ];
  const sandbox = createSandbox();
  for (const [query, status] of cases) {
    assert.equal((await call(sandbox, `GET /v2/catalog/gpus?${query}`)).status, status, query);
    const single = await call(sandbox, `GET /v2/catalog/gpus/NVIDIA%20L40S?${query}`);
    assert.equal(single.status, status, `single: ${query}`);
  }
});

test("the catalog has the 45 types with their pools and list prices, absent where unknown", async () => {
  const rows: Row[] = (await call(createSandbox(), "GET /v2/catalog/gpus")).json.gpus;
  assert.equal(rows.length, 45);
  const l40s = rows.find(({ id }) => id === "NVIDIA L40S");
  assert.deepEqual(
    [l40s?.pool, l40s?.price.serverless, l40s?.availability],
    ["ADA_48_PRO", 1.908, undefined],
  );
  const unpriced = rows.find(({ id }) => id === "NVIDIA GeForce RTX 5090");
  assert.deepEqual([unpriced?.pool, "serverless" in (unpriced?.price ?? {})], ["ADA_32_PRO", false]);
});

test("in US-KS-2 the L40S is LOW and the RTX 4090 HIGH, for every seed", async () => {
  for (const seed of [1, 2, 3]) {
    const sandbox = createSandbox({ seed });
    const rows: Row[] = (await call(sandbox, `GET /v2/catalog/gpus?${STOCK}`)).json.gpus;
    const level = (type: string) =>
      rows.find(({ id }) => id === type)?.dataCenters?.find(({ id }) => id === "US-KS-2")?.availability;
    assert.deepEqual([level("NVIDIA L40S"), level("NVIDIA GeForce RTX 4090")], ["LOW", "HIGH"]);
  }
});

test("the same seed gives the same stock, another seed another", async () => {
  const stock = async (seed: number) =>
    (await call(createSandbox({ seed }), `GET /v2/catalog/gpus?${STOCK}`)).text;
  assert.equal(await stock(5), await stock(5));
  assert.notEqual(await stock(5), await stock(6));
});

test("a country filter drops types from the list, and not from the single route", async () => {
  const sandbox = createSandbox();
  for (const [dataCenter] of sandbox.state.dataCenters)
    sandbox.state.stock.set(`NVIDIA L40S@${dataCenter}`, "NONE");
  const list: Row[] = (await call(sandbox, `GET /v2/catalog/gpus?${STOCK}&countryCodes=US,FR`)).json.gpus;
  assert.equal(
    list.some(({ id }) => id === "NVIDIA L40S"),
    false,
  );
  assert.ok(list.every((row) => row.dataCenters?.every(({ id }) => /^(US|EU-FR)-/.test(id))));
  const single: Row = (await call(sandbox, `GET /v2/catalog/gpus/NVIDIA%20L40S?${STOCK}&countryCodes=US`))
    .json;
  assert.deepEqual([single.availability, single.dataCenters], ["NONE", undefined]);
});

test("CUDA filters compare as numbers and narrow the list of versions", async () => {
  const sandbox = createSandbox();
  const versions = async (filter: string) => {
    const row: Row = (await call(sandbox, `GET /v2/catalog/gpus/NVIDIA%20L40S?${STOCK}&${filter}`)).json;
    return row.cudaVersions?.map(({ version }) => version);
  };
  assert.deepEqual(await versions("cudaVersions=12.8,11.0"), ["12.8"]);
  assert.deepEqual(await versions("minCudaVersion=12.8"), ["12.8", "12.9", "13.0"]);
  assert.deepEqual(await versions("minCudaVersion=13"), ["13.0"]);
  assert.deepEqual(await versions("minCudaVersion=12.11"), ["13.0"]);
  assert.equal(await versions("cudaVersions=11.0"), undefined);
});

test("AMD reports no CUDA versions, and fits no CUDA filter", async () => {
  const sandbox = createSandbox();
  const path = "GET /v2/catalog/gpus/AMD%20Instinct%20MI300X%20OAM?include=AVAILABILITY&product=POD";
  assert.equal("cudaVersions" in (await call(sandbox, path)).json, false);
  assert.equal((await call(sandbox, `${path}&minCudaVersion=12`)).json.availability, "NONE");
});

test("a type outside the serverless pools has no serverless stock", async () => {
  const row: Row = (await call(createSandbox(), `GET /v2/catalog/gpus/NVIDIA%20A30?${STOCK}`)).json;
  assert.deepEqual([row.pool, row.availability], [null, "NONE"]);
});

test("more GPUs than the largest machine has are nowhere in stock", async () => {
  const row: Row = (await call(createSandbox(), `GET /v2/catalog/gpus/NVIDIA%20L40S?${STOCK}&count=9`)).json;
  assert.equal(row.availability, "NONE");
});

test("the other catalogs answer, filter and refuse", async () => {
  const sandbox = createSandbox();
  const cases: readonly (readonly [string, number])[] = [
    ["cpus", 200],
    ["cpus?include=AVAILABILITY", 400],
    ["cpus?vcpuCount=4", 400],
    ["cpus?include=AVAILABILITY&product=SERVERLESS&vcpuCount=6", 400],
    ["cpus?include=AVAILABILITY&product=CLUSTER", 422],
    ["cpus/cpu5c", 200],
    ["cpus/cpu9z", 404],
    ["datacenters?include=GPU_AVAILABILITY,CPU_AVAILABILITY", 200],
    ["datacenters?regions=MOON", 422],
    ["datacenters/US-KS-2", 200],
    ["datacenters/US-XX-9", 404],
    ["templates", 200],
    ["templates?source=mine", 422],
    ["gpus/NVIDIA%20L41", 404],
  ];
  for (const [path, status] of cases) {
    assert.equal((await call(sandbox, `GET /v2/catalog/${path}`)).status, status, path);
  }
  const europe = await call(sandbox, "GET /v2/catalog/datacenters?regions=EUROPE&compliance=GDPR");
  assert.equal(europe.json.dataCenters.length, 9);
});
