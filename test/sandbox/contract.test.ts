import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PATCH_BODY } from "../../lib/sandbox/bodies.ts";
import { createSandbox, listScenarios } from "../../lib/sandbox/mod.ts";
import { SANDBOX_ROUTES } from "../../lib/sandbox/routes/all.ts";
import { violations } from "../../lib/sandbox/schema.ts";
import { BALANCER, CPU, call, PINNED, QUEUE } from "./_client.ts";
import { loadContract } from "./_contract.ts";

const STOCK = "include=AVAILABILITY&product=SERVERLESS,POD";
const LOGS = "GET /v2/serverless/{id}/workers/{workerId}/logs";
const NEW = {
  ...{ name: "new", type: "QUEUE", image: "acme/new:1", gpu: { pools: ["ADA_24"], count: 1 } },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};

/** Operation, path, status, and what is sent. */
const CALLS: readonly (readonly [string, string, number, { body?: unknown; key?: string | null }?])[] = [
  ["GET /v2/serverless", "/v2/serverless", 200],
  ["GET /v2/serverless", "/v2/serverless", 401, { key: null }],
  ["POST /v2/serverless", "/v2/serverless", 201, { body: NEW }],
  ["POST /v2/serverless", "/v2/serverless", 422, { body: { ...NEW, name: undefined } }],
  ["POST /v2/serverless", "/v2/serverless", 422, { body: { ...NEW, image: undefined } }],
  ["POST /v2/serverless", "/v2/serverless", 422, { body: { ...NEW, type: "LOAD_BALANCER" } }],
  ["POST /v2/serverless", "/v2/serverless", 400, { body: { ...NEW, gpu: undefined } }],
  ["POST /v2/serverless", "/v2/serverless", 404, { body: { ...NEW, templateId: "nobody" } }],
  ["PATCH /v2/serverless/{id}", `/v2/serverless/${QUEUE}`, 200, { body: { workers: { max: 9 } } }],
  ["PATCH /v2/serverless/{id}", `/v2/serverless/${CPU}`, 400, { body: { gpu: {} } }],
  ["PATCH /v2/serverless/{id}", `/v2/serverless/${CPU}`, 422, { body: { bogus: 1 } }],
  ["PATCH /v2/serverless/{id}", "/v2/serverless/nobody", 404, { body: {} }],
  ...[QUEUE, CPU, BALANCER, PINNED].flatMap((id) =>
    (["", "/workers", "/releases"] as const).map(
      (path) => [`GET /v2/serverless/{id}${path}`, `/v2/serverless/${id}${path}`, 200] as const,
    ),
  ),
  ["GET /v2/serverless/{id}", "/v2/serverless/nobody", 404],
  ["GET /v2/serverless/{id}/releases", "/v2/serverless/nobody/releases", 404],
  ["GET /v2/serverless/{id}/workers", "/v2/serverless/nobody/workers", 404],
  [LOGS, `/v2/serverless/${QUEUE}/workers/nobody/logs`, 404],
  [LOGS, `/v2/serverless/${QUEUE}/workers/nobody/logs?tail=5001`, 422],
  [LOGS, `/v2/serverless/${QUEUE}/workers/nobody/logs?source=both`, 422],
  ["DELETE /v2/serverless/{id}", `/v2/serverless/${PINNED}`, 204],
  ["DELETE /v2/serverless/{id}", "/v2/serverless/nobody", 404],
  ["GET /v2/catalog/gpus", "/v2/catalog/gpus", 200],
  ["GET /v2/catalog/gpus", `/v2/catalog/gpus?${STOCK}`, 200],
  ["GET /v2/catalog/gpus", "/v2/catalog/gpus?product=POD", 400],
  ["GET /v2/catalog/gpus/{id}", `/v2/catalog/gpus/NVIDIA%20L40S?${STOCK}`, 200],
  ["GET /v2/catalog/cpus", `/v2/catalog/cpus?${STOCK}`, 200],
  ["GET /v2/catalog/cpus/{id}", "/v2/catalog/cpus/cpu5c", 200],
  ["GET /v2/catalog/datacenters", "/v2/catalog/datacenters?include=GPU_AVAILABILITY,CPU_AVAILABILITY", 200],
  ["GET /v2/catalog/datacenters/{id}", "/v2/catalog/datacenters/US-KS-2?include=GPU_AVAILABILITY", 200],
  ...["official", "verified", "community"].map(
    (source) => ["GET /v2/catalog/templates", `/v2/catalog/templates?source=${source}`, 200] as const,
  ),
];

test("every answer is valid under Runpod's own document", async () => {
  const contract = loadContract();
  for (const rules of [{}, { gpuOfCpuEndpoint: "omitted", noExclusions: "empty" } as const]) {
    const sandbox = createSandbox({ rules });
    for (const [operation, path, status, options] of CALLS) {
      const answer = await call(sandbox, `${operation.split(" ")[0]} ${path}`, options);
      assert.equal(answer.status, status, `${operation} ${answer.text}`);
      const type = answer.headers.get("content-type") ?? "";
      assert.deepEqual(contract.problems(operation, { status, type, json: answer.json }), []);
    }
  }
});

test("workers and releases of every scenario are valid under it, now and later", async () => {
  const contract = loadContract();
  for (const { name } of listScenarios()) {
    const sandbox = createSandbox({ scenario: name, rules: { showsUptime: true } });
    for (let i = 0; i < 8; i++) {
      for (const path of ["", "/workers", "/releases"]) {
        const answer = await call(sandbox, `GET /v2/serverless/${QUEUE}${path}`);
        const { status, json } = answer;
        const shown = { status, type: answer.headers.get("content-type") ?? "", json };
        assert.deepEqual(contract.problems(`GET /v2/serverless/{id}${path}`, shown), [], name);
      }
      sandbox.clock.advance(20_000);
    }
  }
});

test("the calls of the contract test reach every route, and every route is in the document", () => {
  const routes = SANDBOX_ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...new Set(CALLS.map(([operation]) => operation))].sort(), [...routes].sort());
  const { operations } = loadContract();
  assert.deepEqual(
    routes.filter((route) => !operations.includes(route)),
    [],
  );
});

test("a PATCH body is refused with 422 exactly where the document's schema refuses it", () => {
  const validate = loadContract().schema("UpdateEndpointRequest");
  fc.assert(
    fc.property(bodies(), (drawn) => {
      const body: unknown = JSON.parse(JSON.stringify(drawn));
      assert.equal(violations(PATCH_BODY, body).length === 0, validate(body), JSON.stringify(body));
    }),
    { numRuns: 3000, seed: 7 },
  );
});

/** Bodies near the edge of validity: known fields with good, bad and odd values. */
function bodies(): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(
    null,
    "",
    "x",
    0,
    1,
    1.5,
    -1,
    0.5,
    2,
    3601,
    true,
    [],
    {},
    ["a", "a"],
    "12.4",
    "OFF",
  );
  const text = fc.constantFrom("", "ADA_24", "NVIDIA L40", " NVIDIA L40", "-x", " ", "12.8", "12");
  const or = (good: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: odd });
  const texts = or(fc.array(or(text), { maxLength: 3 }));
  const some = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] });
  const whole = or(fc.integer({ min: -1, max: 4000 }));
  const scaling = some({
    ...{ type: fc.constantFrom("QUEUE_DELAY", "REQUEST_COUNT", "X") },
    ...{ queueDelay: or(fc.constantFrom(0.4, 0.5, 4)), requestCount: whole, other: odd },
  });
  const gpu = some({
    ...{ pools: texts, excludedTypes: texts, count: whole, allowedCudaVersions: texts },
    ...{ minCudaVersion: or(text), other: odd },
  });
  return some({
    ...{
      name: or(text),
      gpu: or(gpu),
      cpu: or(fc.array(some({ id: or(text), vcpuCount: whole }), { maxLength: 2 })),
    },
    ...{
      workers: or(some({ min: whole, max: whole, idleTimeout: whole, other: odd })),
      scaling: or(scaling),
    },
    ...{ dataCenterIds: texts, timeout: whole, flashboot: odd, image: or(text), disk: whole, ports: texts },
    ...{
      env: or(fc.dictionary(text, or(text), { maxKeys: 2 })),
      registry: odd,
      templateId: or(text),
      bogus: odd,
    },
  });
}
