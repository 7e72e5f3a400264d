import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Endpoint, EndpointPatch } from "../../lib/api/endpoint.ts";
import { patchBodyProblems } from "../../lib/api/patch-schema.ts";
import { parseEndpoint, parseGpuTypes } from "../../lib/api/schema.ts";
import { changedFields } from "../../lib/plan/fields.ts";
import { overlay } from "../../lib/plan/overlay.ts";
import { serverProblems } from "../../lib/plan/server-problems.ts";
import { isWithin } from "../../lib/plan/targets.ts";
import { createSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";

// What a PATCH does stands in two places that may not import each other: the dry run's overlay and the sandbox.
// Here they are held against each other: what is accepted, and what an endpoint reads like afterwards.

const RUNS = 10_000;
const IDS = ["4m7x2k9q", "7c3v1n8p", "9k2w5t1r", "3p8n6v2d"] as const;

function sparse<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}

const cuda = fc.constantFrom("12.4", "12.8", "13.0", "12", "x");
const pool = fc.constantFrom("ADA_24", "ADA_48_PRO", "AMPERE_48", "AMPERE_24", "ADA_25");
const gpuType = fc.constantFrom(
  ...[
    "NVIDIA L40",
    " NVIDIA L40",
    "NVIDIA L40S",
    "NVIDIA A40",
    "NVIDIA RTX A6000",
    "NVIDIA L4",
    "-x",
    "nothing",
  ],
  ...["NVIDIA GeForce RTX 4090", "NVIDIA RTX 6000 Ada Generation"],
);

const gpu = sparse({
  pools: fc.array(pool, { maxLength: 3 }),
  excludedTypes: fc.array(gpuType, { maxLength: 3 }),
  count: fc.integer({ min: 0, max: 4 }),
  allowedCudaVersions: fc.array(cuda, { maxLength: 2 }),
  minCudaVersion: fc.oneof(cuda, fc.constant("")),
  pool: fc.constant("ADA_24"),
});

const scaling = fc.oneof(
  fc.record({ type: fc.constant("QUEUE_DELAY"), queueDelay: fc.constantFrom(0.4, 0.5, 4, 4.5) }),
  fc.record({ type: fc.constant("REQUEST_COUNT"), requestCount: fc.constantFrom(0, 1, 4) }),
  fc.record({ type: fc.constant("REQUEST_COUNT"), requestCount: fc.constant(1), queueDelay: fc.constant(4) }),
  fc.record({ type: fc.constantFrom("OTHER", "QUEUE_DELAY") }),
);

const texts = fc.array(fc.constantFrom("US-KS-2", "EU-RO-1", "8000/http"), { maxLength: 2 });

const body = sparse({
  name: fc.constantFrom("", "renamed", "x -fb"),
  gpu,
  cpu: fc.array(
    fc.oneof(
      fc.record({ id: fc.constantFrom("cpu3c", "cpu5c"), vcpuCount: fc.constantFrom(2, 4, 3) }),
      fc.record({ id: fc.constant("cpu3c"), vcpuCount: fc.constant(2), memory: fc.constant(8) }),
    ),
    { maxLength: 2 },
  ),
  workers: sparse({
    min: fc.integer({ min: -1, max: 4 }),
    max: fc.integer({ min: -1, max: 9 }),
    idleTimeout: fc.constantFrom(0, 1, 30, 3600, 3601, 1.5),
  }),
  scaling,
  dataCenterIds: texts,
  networkVolumes: texts,
  timeout: fc.constantFrom(0, 600_000, 1.5),
  flashboot: fc.constantFrom("OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT", true),
  image: fc.constant("acme/x:2"),
  args: fc.constantFrom("", "--fast"),
  disk: fc.constantFrom(0, 1, 50),
  ports: texts,
  env: fc.dictionary(
    fc.constantFrom("A", "B", "HEALTH_CHECK_PATH"),
    fc.constantFrom("", "1", "/live", "live"),
  ),
  registry: fc.constantFrom(null, "cred"),
  type: fc.constant("QUEUE"),
});

/** Bodies that are likely to be accepted: few fields, and selections that fit together. */
const fewFields = body.chain((whole) =>
  fc
    .subarray(Object.keys(whole), { minLength: 1, maxLength: 2 })
    .map((keys) => Object.fromEntries(Object.entries(whole).filter(([key]) => keys.includes(key)))),
);
const selection = fc.record(
  {
    pools: fc.constantFrom(["ADA_48_PRO"], ["AMPERE_48", "ADA_48_PRO"], ["ADA_24"]),
    excludedTypes: fc.subarray(["NVIDIA L40", " NVIDIA RTX 6000 Ada Generation"]),
    count: fc.constantFrom(1, 2),
    minCudaVersion: fc.constantFrom("", "12.4"),
  },
  { requiredKeys: [] },
);
const scaled = fc.record({
  scaling: fc.constantFrom(
    { type: "QUEUE_DELAY", queueDelay: 4.3 },
    { type: "REQUEST_COUNT", requestCount: 2 },
  ),
  workers: fc.record({ idleTimeout: fc.constant(30), max: fc.constantFrom(3, 7) }, { requiredKeys: [] }),
});
const likely = fc.oneof(fc.record({ gpu: selection }), scaled, fewFields);

test(`overlay and sandbox agree on ${RUNS} random PATCH bodies`, async () => {
  const catalog = parseGpuTypes(
    await get(newSandbox(), "/v2/catalog/gpus?include=AVAILABILITY&product=SERVERLESS"),
  );
  let box = newSandbox();
  let accepted = 0;
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...IDS), fc.oneof(likely, likely, body), async (id, given) => {
      if (n++ % 200 === 0) box = newSandbox();
      const before = parseEndpoint(await get(box, `/v2/serverless/${id}`));
      const patch = given as EndpointPatch;
      const status = await send(box, id, patch);
      const problems =
        patchBodyProblems(patch).length > 0 ? ["shape"] : serverProblems(before, patch, catalog);
      const ours = [...problems, ...lonelyExclusions(patch)];
      assert.equal(status === 200, ours.length === 0, `${status} against ${JSON.stringify(ours)}`);
      const after = parseEndpoint(await get(box, `/v2/serverless/${id}`));
      assert.deepEqual(disagreement(before, patch, status, after), []);
      if (status === 200) accepted += 1;
    }),
    { numRuns: RUNS },
  );
  assert.ok(accepted > RUNS / 10, `only ${accepted} bodies were accepted`);
});

/** The patch step never sends these: it adds the pools. */
function lonelyExclusions(patch: EndpointPatch): readonly string[] {
  return patch.gpu?.excludedTypes && !patch.gpu.pools ? ["excludedTypes without pools"] : [];
}

function disagreement(
  before: Endpoint,
  patch: EndpointPatch,
  status: number,
  after: Endpoint,
): readonly unknown[] {
  if (status !== 200) return changedFields(before, after);
  const expected = overlay(before, patch);
  return changedFields(expected.endpoint, after).filter(({ path }) => !isWithin(path, expected.unknown));
}

function newSandbox(): Sandbox {
  return createSandbox({ quotas: null });
}

async function get(box: Sandbox, path: string): Promise<string> {
  return await (await box.fetch(new Request(box.origin + path, { headers: headersOf(box) }))).text();
}

async function send(box: Sandbox, id: string, patch: EndpointPatch): Promise<number> {
  const headers = { ...headersOf(box), "content-type": "application/json" };
  const request = new Request(`${box.origin}/v2/serverless/${id}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify(patch),
  });
  return (await box.fetch(request)).status;
}

function headersOf(box: Sandbox): Record<string, string> {
  return { authorization: `Bearer ${box.key}` };
}
