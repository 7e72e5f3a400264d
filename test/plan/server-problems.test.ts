import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointPatch } from "../../lib/api/endpoint.ts";
import { serverProblems } from "../../lib/plan/server-problems.ts";
import { catalog, cpuEndpoint, endpoint } from "./_world.ts";

const counted = endpoint({
  scaling: { type: "REQUEST_COUNT", requestCount: 1 },
  workers: { min: 0, max: 5 },
});
const balancer = endpoint({ type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 4 } });
const delay = { type: "QUEUE_DELAY", queueDelay: 4 } as const;

const refused: readonly [string, ReturnType<typeof endpoint>, EndpointPatch, RegExp][] = [
  ["a GPU selection of a CPU endpoint", cpuEndpoint(), { gpu: { pools: ["ADA_24"] } }, /CPU endpoint/],
  ["a CPU selection of a GPU endpoint", endpoint(), { cpu: [{ id: "cpu5c", vcpuCount: 4 }] }, /GPU endpoint/],
  [
    "both CUDA constraints",
    endpoint(),
    { gpu: { allowedCudaVersions: ["12.8"], minCudaVersion: "12.1" } },
    /exclude each other/,
  ],
  ["a pool that does not exist", endpoint(), { gpu: { pools: ["ADA_25"] } }, /did you mean ADA_24/],
  [
    "an exclusion of another pool",
    endpoint(),
    { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA A40"] } },
    /no GPU type of ADA_48_PRO/,
  ],
  [
    "a selection that leaves no type",
    endpoint(),
    { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA GeForce RTX 4090"] } },
    /leaves no GPU type/,
  ],
  [
    "a minimum above the maximum that is read",
    endpoint(),
    { workers: { min: 6 } },
    /workers.min 6 would be above workers.max 5/,
  ],
  ["QUEUE_DELAY of a load balancer", balancer, { scaling: delay }, /REQUEST_COUNT only/],
  [
    "an idle timeout on request count",
    counted,
    { workers: { idleTimeout: 30 } },
    /idleTimeout does not apply/,
  ],
  [
    "an idle timeout beside the switch to request count",
    endpoint(),
    { workers: { idleTimeout: 30 }, scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
    /idleTimeout does not apply/,
  ],
];

for (const [what, before, body, problem] of refused)
  test(`serverProblems() knows that the service refuses ${what}`, () => {
    assert.match(serverProblems(before, body, catalog).join("\n"), problem);
  });

const accepted: readonly [string, ReturnType<typeof endpoint>, EndpointPatch][] = [
  [
    "an empty list of CUDA versions beside a floor",
    endpoint(),
    { gpu: { allowedCudaVersions: [], minCudaVersion: "12.1" } },
  ],
  [
    "an idle timeout beside the switch to QUEUE_DELAY",
    counted,
    { workers: { idleTimeout: 30 }, scaling: delay },
  ],
  ["an idle timeout of a load balancer", balancer, { workers: { idleTimeout: 30 } }],
  ["both bounds raised together", endpoint(), { workers: { min: 6, max: 6 } }],
];

for (const [what, before, body] of accepted)
  test(`serverProblems() has nothing against ${what}`, () => {
    assert.deepEqual(serverProblems(before, body, catalog), []);
  });
