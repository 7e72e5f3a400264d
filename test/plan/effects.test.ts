import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint, EndpointPatch } from "../../lib/api/endpoint.ts";
import { completeBody } from "../../lib/plan/complete-body.ts";
import type { EffectCode } from "../../lib/plan/effects.ts";
import { type Mutation, type PatchFacts, patchMutation } from "../../lib/plan/mutation.ts";
import { catalog, cpuEndpoint, endpoint } from "./_world.ts";

function mutation(
  before: Endpoint,
  asked: EndpointPatch,
  otherWorkersMax: number | null = 7,
  jobs: PatchFacts["jobs"] = null,
): Mutation {
  const made = patchMutation({
    n: 1,
    before,
    url: "https://api.runpod.io/v2/serverless/4m7x2k9q",
    body: completeBody(before, asked, catalog),
    namedEnv: Object.keys(asked.env ?? {}),
    catalog,
    otherWorkersMax,
    jobs,
    restores: null,
  });
  assert.ok(made);
  return made;
}

function textOf({ effects }: Mutation, code: EffectCode): string | undefined {
  return effects.find((effect) => effect.code === code)?.text;
}

const two = endpoint({
  gpu: {
    pools: ["AMPERE_48", "ADA_48_PRO"],
    excludedTypes: ["NVIDIA RTX A6000", "NVIDIA L40"],
    allowedCudaVersions: [],
    minCudaVersion: null,
  },
});

test("the price is the highest among the allowed types, times gpu.count", () => {
  const { cost } = mutation(endpoint(), { gpu: { pools: ["ADA_48_PRO"], count: 2 } });
  assert.deepEqual(cost?.workerHourUsd, { before: 1.116, after: 3.816 });
  assert.deepEqual(cost?.ceilingPerHourUsd, { before: 5.58, after: 19.08 });
  assert.deepEqual(cost?.standingPerHourUsd, { before: 0, after: 0 });
});

test("an unknown price is unknown, not 0", () => {
  const { cost } = mutation(endpoint({ workers: { min: 1, max: 5 } }), { gpu: { pools: ["ADA_32_PRO"] } });
  assert.deepEqual(cost?.workerHourUsd, { before: 1.116, after: null });
  assert.deepEqual(cost?.standingPerHourUsd, { before: 1.116, after: null });
  assert.match(cost?.basis ?? "", /a price is not in the catalog/);
});

test("a minimum of workers states its cost per hour and month", () => {
  const made = mutation(endpoint(), { workers: { min: 2 } });
  assert.match(
    textOf(made, "standing_cost") ?? "",
    /2 workers bill around the clock even without traffic, \$2.232\/h, \$1629.36\/month/,
  );
});

test("a minimum of workers whose price nobody knows says so", () => {
  const made = mutation(cpuEndpoint(), { workers: { min: 1 } });
  assert.match(textOf(made, "standing_cost") ?? "", /rate not read/);
});

test("scarce stock in the endpoint's own data centers is a warning", () => {
  const made = mutation(endpoint(), {
    gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40", "NVIDIA RTX 6000 Ada Generation"] },
  });
  assert.equal(textOf(made, "low_stock"), "L40S is LOW in US-KS-2, the only data center of this endpoint");
});

test("a data center that does not offer the type has none", () => {
  const made = mutation(endpoint({ dataCenterIds: ["EU-RO-1"] }), { gpu: { pools: ["AMPERE_48"] } });
  assert.match(textOf(made, "low_stock") ?? "", /is NONE in EU-RO-1/);
});

test("a CUDA version that no host has free is a warning", () => {
  const made = mutation(endpoint(), { gpu: { allowedCudaVersions: ["13.0"], minCudaVersion: "" } });
  assert.match(textOf(made, "low_stock") ?? "", /no host of RTX 4090 with CUDA 13.0 has free capacity/);
});

test("CUDA versions are compared as numbers", () => {
  assert.equal(
    textOf(mutation(endpoint(), { gpu: { minCudaVersion: "12.11" } }), "low_stock")?.includes("12.11"),
    true,
  );
  assert.equal(textOf(mutation(endpoint(), { gpu: { minCudaVersion: "12.2" } }), "low_stock"), undefined);
});

test("pools alone keep the exclusions that still belong to them, and say nothing is cleared", () => {
  const made = mutation(two, { gpu: { pools: ["ADA_48_PRO"] } });
  assert.deepEqual(made.request.body, { gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] } });
  assert.equal(textOf(made, "clears_exclusions"), undefined);
});

test("an exclusion that goes away while its pool stays is a warning", () => {
  const made = mutation(two, { gpu: { pools: ["ADA_48_PRO"], excludedTypes: [] } });
  assert.equal(textOf(made, "clears_exclusions"), "no longer excluded: NVIDIA L40");
});

test("exclusions alone are sent with the pools they belong to", () => {
  assert.deepEqual(mutation(two, { gpu: { excludedTypes: ["NVIDIA L40"] } }).request.body, {
    gpu: { pools: ["AMPERE_48", "ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] },
  });
});

test("env keeps the keys nobody named, says which are sent again, and cannot be undone", () => {
  const made = mutation(endpoint(), { env: { MODEL_NAME: "m2" } });
  assert.deepEqual(made.request.body, { env: { MODEL_NAME: "m2", HF_TOKEN: "hf_OLD" } });
  assert.match(textOf(made, "resends_env") ?? "", /1 other key is sent again as read \(HF_TOKEN\)/);
  assert.match(textOf(made, "no_undo") ?? "", /values of env are not recorded/);
});

test("raising the maximum shows the sum that the account's quota counts", () => {
  assert.match(textOf(mutation(endpoint(), { workers: { max: 9 } }), "account_quota") ?? "", /12 → 16/);
  assert.match(
    textOf(mutation(endpoint(), { workers: { max: 9 } }, null), "account_quota") ?? "",
    /not read/,
  );
  assert.equal(textOf(mutation(endpoint(), { workers: { max: 2 } }), "account_quota"), undefined);
});

test("workers.max 0 is an outage", () => {
  const stopped = (jobs: PatchFacts["jobs"]) =>
    textOf(mutation(endpoint(), { workers: { max: 0 } }, 7, jobs), "outage");
  const text = "workers.max 0: no worker serves this endpoint until it is raised again";
  assert.equal(
    stopped({ inProgress: 2, inQueue: 11 }),
    `${text}; now 2 in progress, which may be cut off; 11 in queue`,
  );
  assert.equal(stopped({ inProgress: 0, inQueue: 0 }), `${text}; now 0 in progress; 0 in queue`);
  assert.equal(
    stopped({}),
    `${text}; now an unknown number in progress, which may be cut off; an unknown number in queue`,
  );
  assert.equal(stopped(null), `${text}; its jobs could not be read`);
});

test("a container field starts a rolling release", () => {
  assert.match(
    textOf(mutation(endpoint(), { image: "acme/x:2" }), "rolling_release") ?? "",
    /image starts a rolling release/,
  );
});

test("a switch of the scaler says that the idle timeout vanishes", () => {
  const made = mutation(endpoint(), { scaling: { type: "REQUEST_COUNT", requestCount: 1 } });
  assert.match(textOf(made, "idle_timeout_vanishes") ?? "", /undo puts it back/);
});

test("a longer idle timeout states what a worker may bill", () => {
  assert.match(
    textOf(mutation(endpoint(), { workers: { idleTimeout: 60 } }), "idle_cost") ?? "",
    /up to 60 s .*was 5 s\): \$0.019/,
  );
});

test("a body that leaves everything as it is is no mutation", () => {
  const same = { gpu: { pools: ["ADA_24"] }, workers: { max: 5 } };
  const facts = {
    n: 1,
    before: endpoint(),
    url: "",
    body: same,
    namedEnv: [],
    catalog,
    otherWorkersMax: null,
    jobs: null,
    restores: null,
  };
  assert.equal(patchMutation(facts), null);
});

test("a pin names the card in its summary", () => {
  const made = mutation(endpoint(), {
    gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40", "NVIDIA RTX 6000 Ada Generation"] },
  });
  assert.equal(made.summary, "Pin workers to NVIDIA L40S (pool ADA_48_PRO without 2 other types)");
});
