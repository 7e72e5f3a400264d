import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../../lib/sandbox/mod.ts";
import { BALANCER, CPU, call, PINNED, patch, QUEUE, read } from "./_client.ts";

/** id, body, status, and a part of the answer that says why. */
const REFUSED: readonly (readonly [id: string, body: unknown, status: number, why: string])[] = [
  [QUEUE, { bogus: 1 }, 422, "$: additional properties 'bogus' not allowed"],
  [QUEUE, { type: "QUEUE" }, 422, "$: additional properties 'type' not allowed"],
  [QUEUE, { templateid: "5t8w2n6k" }, 422, "'templateid'"],
  [QUEUE, { gpu: { pool: ["ADA_24"] } }, 422, "$.gpu: additional properties 'pool' not allowed"],
  [QUEUE, { workers: { max: 3, maximum: 3 } }, 422, "$.workers: additional properties 'maximum'"],
  [
    QUEUE,
    { scaling: { type: "QUEUE_DELAY", queueDelay: 4, value: 4 } },
    422,
    "$.scaling: additional properties",
  ],
  [QUEUE, { scaling: { type: "QUEUE_DELAY" } }, 422, "$.scaling: missing property 'queueDelay'"],
  [QUEUE, { scaling: { requestCount: 4 } }, 422, "$.scaling: missing property 'type'"],
  [QUEUE, { scaling: { type: "NONE" } }, 422, "$.scaling.type: value must be one of"],
  [
    QUEUE,
    { scaling: { type: "QUEUE_DELAY", queueDelay: 0.4 } },
    422,
    "$.scaling.queueDelay: minimum: got 0.4, want 0.5",
  ],
  [
    QUEUE,
    { scaling: { type: "REQUEST_COUNT", requestCount: 1.5 } },
    422,
    "$.scaling.requestCount: got number, want integer",
  ],
  [QUEUE, { flashboot: true }, 422, "$.flashboot: got boolean, want string"],
  [QUEUE, { flashboot: "ON" }, 422, "$.flashboot: value must be one of 'OFF'"],
  [QUEUE, { workers: { idleTimeout: 0 } }, 422, "$.workers.idleTimeout: minimum: got 0, want 1"],
  [QUEUE, { workers: { idleTimeout: 3601 } }, 422, "$.workers.idleTimeout: maximum: got 3601, want 3600"],
  [QUEUE, { workers: { max: -1 } }, 422, "$.workers.max: minimum"],
  [QUEUE, { workers: null }, 422, "$.workers: got null, want object"],
  [QUEUE, { disk: 0 }, 422, "$.disk: minimum"],
  [QUEUE, { name: "" }, 422, "$.name: minLength"],
  [QUEUE, { env: { A: 1 } }, 422, "$.env.A: got number, want string"],
  [QUEUE, { gpu: { pools: [] } }, 422, "$.gpu.pools: minItems"],
  [
    QUEUE,
    { gpu: { excludedTypes: ["NVIDIA L40"] } },
    422,
    "properties 'pools' required, if 'excludedTypes' exists",
  ],
  [
    QUEUE,
    { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40", "NVIDIA L40"] } },
    422,
    "items at 0 and 1 are equal",
  ],
  [QUEUE, { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["-NVIDIA L40"] } }, 422, "does not match pattern"],
  [QUEUE, { gpu: { allowedCudaVersions: ["12"] } }, 422, "does not match pattern"],
  [QUEUE, { gpu: { minCudaVersion: "12.x" } }, 422, "does not match pattern"],
  [QUEUE, { gpu: { count: 0 } }, 422, "$.gpu.count: minimum"],
  [QUEUE, [], 422, "$: got array, want object"],
  [QUEUE, null, 422, "$: got null, want object"],
  [QUEUE, { templateId: "nobody" }, 404, "resource not found"],
  [QUEUE, { templateId: "9f3j7u5p" }, 404, "resource not found"],
  [QUEUE, { templateId: "30zmvf89kd" }, 422, "serverless template"],
  [
    QUEUE,
    { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA A40"] } },
    400,
    "'NVIDIA A40' is not a GPU type",
  ],
  [QUEUE, { gpu: { allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" } }, 400, "mutually exclusive"],
  [QUEUE, { cpu: [{ id: "cpu5c", vcpuCount: 2 }] }, 400, "GPU endpoint"],
  [QUEUE, { gpu: {}, cpu: [{ id: "cpu5c", vcpuCount: 2 }] }, 400, "mutually exclusive"],
  [CPU, { gpu: { pools: ["ADA_24"] } }, 400, "CPU endpoint"],
  [CPU, { cpu: [] }, 422, "$.cpu: minItems"],
  [CPU, { cpu: [{ id: "cpu5c", vcpuCount: 2, memory: 4 }] }, 422, "'memory'"],
  [
    CPU,
    {
      cpu: [
        { id: "cpu5c", vcpuCount: 2 },
        { vcpuCount: 2, id: "cpu5c" },
      ],
    },
    422,
    "items at 0 and 1 are equal",
  ],
  [PINNED, { workers: { idleTimeout: 5 } }, 422, "idleTimeout does not apply"],
  [
    QUEUE,
    { scaling: { type: "REQUEST_COUNT", requestCount: 4 }, workers: { idleTimeout: 5 } },
    422,
    "idleTimeout does not apply",
  ],
  ["nobody", { name: "x" }, 404, "resource not found"],
];

test("PATCH refuses each broken rule with its status, says why, and changes nothing at all", async () => {
  for (const [id, body, status, why] of REFUSED) {
    const sandbox = createSandbox();
    const before = structuredClone(sandbox.state.endpoints);
    const broken =
      body === null || Array.isArray(body) ? body : { image: "acme/other:9", ...(body as object) };
    const answer = await patch(sandbox, id, broken);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.ok(answer.text.includes(why.replaceAll('"', '\\"')), `${JSON.stringify(body)}: ${answer.text}`);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
    assert.deepEqual(sandbox.state.endpoints, before);
    assert.equal(sandbox.requests[0]?.applied, false);
  }
});

test("PATCH answers 400 to a body that is no JSON", async () => {
  for (const text of ["", "{", "{'name':'x'}", "undefined"]) {
    const answer = await call(createSandbox(), `PATCH /v2/serverless/${QUEUE}`, { text });
    assert.equal(answer.status, 400, text);
  }
});

test("PATCH changes what it is sent and leaves the rest, one level down too", async () => {
  const sandbox = createSandbox();
  const before = await read(sandbox, QUEUE);
  const answer = await patch(sandbox, QUEUE, { workers: { max: 7 }, gpu: { count: 2 }, name: "renamed" });
  assert.equal(answer.status, 200);
  const expected = {
    ...before,
    name: "renamed",
    workers: { ...before.workers, max: 7 },
    gpu: { ...before.gpu, count: 2 },
  };
  assert.deepEqual(answer.json, expected);
  assert.deepEqual(await read(sandbox, QUEUE), expected);
  assert.equal(sandbox.requests[1]?.applied, true);
});

test("PATCH replaces env, ports, dataCenterIds and networkVolumes whole", async () => {
  const sandbox = createSandbox();
  const body = {
    env: { ONLY: "1" },
    ports: ["1/tcp"],
    dataCenterIds: [],
    networkVolumes: ["v1"],
    registry: null,
  };
  await patch(sandbox, QUEUE, body);
  const after = await read(sandbox, QUEUE);
  assert.deepEqual({ ...after, ...body }, after);
});

test("pools without excludedTypes clears the exclusions, a CUDA patch keeps them", async () => {
  const sandbox = createSandbox();
  const excluded = ["NVIDIA RTX A6000", "NVIDIA L40"];
  await patch(sandbox, PINNED, { gpu: { minCudaVersion: "12.6" } });
  assert.deepEqual((await read(sandbox, PINNED)).gpu.excludedTypes, excluded);
  await patch(sandbox, PINNED, { gpu: { pools: ["AMPERE_48", "ADA_48_PRO"] } });
  assert.equal((await read(sandbox, PINNED)).gpu.excludedTypes, undefined);
});

test("excludedTypes are trimmed", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { gpu: { pools: ["ADA_48_PRO"], excludedTypes: [" NVIDIA L40 "] } });
  assert.deepEqual((await read(sandbox, QUEUE)).gpu.excludedTypes, ["NVIDIA L40"]);
});

test("CUDA constraints are cleared by an empty list and an empty text, which reads back as null", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, PINNED, { gpu: { minCudaVersion: "", allowedCudaVersions: ["12.8"] } });
  const { gpu } = await read(sandbox, PINNED);
  assert.equal(gpu.minCudaVersion, null);
  assert.deepEqual(gpu.allowedCudaVersions, ["12.8"]);
  const beside = await patch(sandbox, PINNED, { gpu: { minCudaVersion: "12.4", allowedCudaVersions: [] } });
  assert.equal(beside.status, 200);
  assert.deepEqual(beside.json.gpu.allowedCudaVersions, []);
});

test("the idle timeout vanishes with REQUEST_COUNT on a queue and comes back with QUEUE_DELAY", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { scaling: { type: "REQUEST_COUNT", requestCount: 2 } });
  assert.deepEqual((await read(sandbox, QUEUE)).workers, { min: 0, max: 5 });
  await patch(sandbox, QUEUE, { scaling: { type: "QUEUE_DELAY", queueDelay: 4 } });
  assert.deepEqual((await read(sandbox, QUEUE)).workers, { min: 0, max: 5, idleTimeout: 5 });
  const both = { scaling: { type: "QUEUE_DELAY", queueDelay: 1 }, workers: { idleTimeout: 9 } };
  assert.equal((await patch(sandbox, PINNED, both)).json.workers.idleTimeout, 9);
  assert.equal((await patch(sandbox, BALANCER, { workers: { idleTimeout: 9 } })).status, 200);
});

test("templateId copies the template once: the body beats it, env is merged and replaces the endpoint's", async () => {
  const sandbox = createSandbox();
  const answer = await patch(sandbox, QUEUE, {
    templateId: "6r4s1y8b",
    disk: 77,
    env: { LOG_LEVEL: "debug" },
  });
  const { image, args, disk, ports, env, registry } = answer.json;
  assert.deepEqual(
    { image, args, disk, ports, env, registry },
    {
      image: "acme/house-worker:3.1.0",
      args: "python handler.py",
      disk: 77,
      ports: ["8000/http"],
      env: { LOG_LEVEL: "debug", MODEL_NAME: "house" },
      registry: "reg_acme01",
    },
  );
  assert.equal(answer.json.templateId, undefined);
});

test("the health URL of a load balancer follows HEALTH_CHECK_PATH, default /ping", async () => {
  const sandbox = createSandbox();
  const base = `${sandbox.origin}/lb/${BALANCER}`;
  assert.deepEqual((await read(sandbox, BALANCER)).requestUrls, { base, health: `${base}/healthz` });
  await patch(sandbox, BALANCER, { env: {} });
  assert.deepEqual((await read(sandbox, BALANCER)).requestUrls, { base, health: `${base}/ping` });
});

test("cpu is a complete replacement and reads with its memory", async () => {
  const sandbox = createSandbox();
  const answer = await patch(sandbox, CPU, { cpu: [{ id: "cpu3g", vcpuCount: 8 }] });
  assert.deepEqual(answer.json.cpu, [{ id: "cpu3g", vcpuCount: 8, memory: 32 }]);
});
