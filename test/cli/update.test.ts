import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { updateCall } from "../../bin/_update-recipe.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { closingText } from "../../lib/plan/closing.ts";
import { planDocument } from "../../lib/plan/document.ts";
import type { RunResult } from "../../lib/plan/result.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { RecipePlan } from "../../lib/run/recipe-plan.ts";
import type { Fault, SandboxOptions, WorldEndpoint } from "../../lib/sandbox/mod.ts";
import { type Bench, bench } from "../run/_sandbox.ts";

type Given = Readonly<Record<string, unknown>>;

const QUEUE = "4m7x2k9q";
const PINNED = "3p8n6v2d";
const CPU = "7c3v1n8p";
const BALANCER = "9k2w5t1r";

const ENV = { MODEL_NAME: "turbo", ADDED: "1" };

/** The endpoint that the cases of people start from. */
function world(options: SandboxOptions = {}, changes: (endpoint: WorldEndpoint) => void = () => {}): Bench {
  const at = bench({ quotas: null, ...options });
  for (const endpoint of at.box.state.endpoints.values()) if (endpoint.id === QUEUE) changes(endpoint);
  return at;
}

async function plan(at: Bench, endpoint: string, given: Given): Promise<RecipePlan> {
  const made = await updateCall(endpoint, given, { readEnv: async () => ENV });
  return await planRecipe(made.loaded, made.given, at.context);
}

async function apply(at: Bench, endpoint: string, given: Given): Promise<RunResult> {
  return await applyPlan(await plan(at, endpoint, given), at.context);
}

/** The bytes of the bodies that a plan would send. */
async function bodyOf(at: Bench, endpoint: string, given: Given): Promise<string | undefined> {
  const { mutations } = await plan(at, endpoint, given);
  return mutations.map(({ request }) => JSON.stringify(request.body)).join("\n");
}

async function refused(at: Bench, endpoint: string, given: Given): Promise<string> {
  try {
    await plan(at, endpoint, given);
  } catch (error) {
    assert.ok(isReadbackError(error, "usage_error"), String(error));
    assert.ok(at.sent().every((line) => line.startsWith("GET ")));
    return error.message;
  }
  return assert.fail("it was accepted");
}

describe("an update sends the fields of its flags and nothing else", () => {
  const cases: readonly (readonly [string, Given, string])[] = [
    [QUEUE, { workersMax: "8" }, '{"workers":{"max":8}}'],
    [QUEUE, { name: "x", workersMin: "1" }, '{"name":"x","workers":{"min":1}}'],
    [QUEUE, { idleTimeout: "5m" }, '{"workers":{"idleTimeout":300}}'],
    [QUEUE, { idleTimeout: "7" }, '{"workers":{"idleTimeout":7}}'],
    [QUEUE, { executionTimeout: "90" }, '{"timeout":90000}'],
    [QUEUE, { executionTimeout: "5500ms" }, '{"timeout":5500}'],
    [QUEUE, { flashboot: "priority" }, '{"flashboot":"PRIORITY_FLASHBOOT"}'],
    [QUEUE, { image: "acme/w:v4" }, '{"image":"acme/w:v4"}'],
    [QUEUE, { args: "--fast", disk: "40" }, '{"args":"--fast","disk":40}'],
    [QUEUE, { ports: "8000/http,22/tcp" }, '{"ports":["8000/http","22/tcp"]}'],
    [QUEUE, { registry: "cred1" }, '{"registry":"cred1"}'],
    [QUEUE, { dataCenterIds: "EU-RO-1, US-KS-2" }, '{"dataCenterIds":["EU-RO-1","US-KS-2"]}'],
    [QUEUE, { clearDataCenterIds: true }, '{"dataCenterIds":[]}'],
    [QUEUE, { networkVolumeIds: "vol1" }, '{"networkVolumes":["vol1"]}'],
    [QUEUE, { gpuCount: "2" }, '{"gpu":{"count":2}}'],
    [CPU, { cpu: "cpu3c:2,cpu5c:4" }, '{"cpu":[{"id":"cpu3c","vcpuCount":2},{"id":"cpu5c","vcpuCount":4}]}'],
    [BALANCER, { clearPorts: true }, '{"ports":[]}'],
    [BALANCER, { idleTimeout: "30" }, '{"workers":{"idleTimeout":30}}'],
  ];
  for (const [endpoint, given, body] of cases)
    test(`${JSON.stringify(given)} is ${body}`, async () => {
      assert.equal(await bodyOf(world(), endpoint, given), body);
    });

  test("and may change these fields alone", async () => {
    const { declares } = await plan(world(), PINNED, { workersMax: "2", minCuda: "12.8", image: "x:1" });
    assert.deepEqual(declares, ["patch:workers", "patch:gpu", "patch:image"]);
  });

  test("a list is cleared, an argument taken away and a credential dropped by flags of their own", async () => {
    const at = world({}, (endpoint) =>
      Object.assign(endpoint, {
        args: "--fast",
        registry: "cred1",
        networkVolumes: ["vol1"],
        ports: ["8000/http"],
      }),
    );
    const given = { clearArgs: true, clearRegistry: true, clearNetworkVolumeIds: true, clearPorts: true };
    assert.equal(
      await bodyOf(at, QUEUE, given),
      '{"networkVolumes":[],"args":"","ports":[],"registry":null}',
    );
    assert.equal((await apply(at, QUEUE, given)).outcome, "applied");
  });

  test("what it reads as already is neither planned nor sent", async () => {
    const at = world();
    assert.equal((await apply(at, QUEUE, { workersMax: "5", flashboot: "on" })).outcome, "unchanged");
    assert.ok(at.sent().every((line) => line.startsWith("GET ")));
  });
});

describe("a GPU selection", () => {
  test("a CUDA constraint alone never sends pools, and clears the other constraint", async () => {
    const at = world();
    assert.equal(
      await bodyOf(at, PINNED, { minCuda: "12.8" }),
      '{"gpu":{"minCudaVersion":"12.8","allowedCudaVersions":[]}}',
    );
    assert.equal(
      await bodyOf(at, PINNED, { cuda: "12.8,12.6" }),
      '{"gpu":{"allowedCudaVersions":["12.8","12.6"],"minCudaVersion":""}}',
    );
    assert.equal(
      await bodyOf(at, PINNED, { clearCuda: true }),
      '{"gpu":{"allowedCudaVersions":[],"minCudaVersion":""}}',
    );
  });

  test("pools alone keep the exclusions that still belong to one of them, and say so", async () => {
    const made = await plan(world(), PINNED, { pools: "ADA_48_PRO" });
    const [mutation] = made.mutations;
    assert.equal(
      JSON.stringify(mutation?.request.body),
      '{"gpu":{"pools":["ADA_48_PRO"],"excludedTypes":["NVIDIA L40"]}}',
    );
    assert.deepEqual(
      mutation?.effects.filter(({ code }) => code.endsWith("_exclusions")).map(({ text }) => text),
      ["still excluded: NVIDIA L40"],
    );
    assert.ok(mutation?.diff.some(({ path }) => path === "gpu.excludedTypes"));
  });

  test("exclusions go only when that is asked, with a warning", async () => {
    const made = await plan(world(), PINNED, { pools: "ADA_48_PRO", clearExclusions: true });
    const [mutation] = made.mutations;
    assert.equal(
      JSON.stringify(mutation?.request.body),
      '{"gpu":{"pools":["ADA_48_PRO"],"excludedTypes":[]}}',
    );
    assert.deepEqual(
      mutation?.effects.filter(({ level }) => level === "warn").map(({ code }) => code),
      ["clears_exclusions"],
    );
  });

  test("exclusions alone are sent with the pools as read, and display names are understood", async () => {
    assert.equal(
      await bodyOf(world(), PINNED, { excludeGpus: "L40S,NVIDIA RTX A6000" }),
      '{"gpu":{"pools":["AMPERE_48","ADA_48_PRO"],"excludedTypes":["NVIDIA L40S","NVIDIA RTX A6000"]}}',
    );
  });

  test("what leaves no card, a stranger, a pool that does not exist and a CPU endpoint are refused", async () => {
    const only = { pools: "ADA_24", excludeGpus: "RTX 4090" };
    assert.match(await refused(world(), QUEUE, only), /leaves no GPU type/);
    assert.match(await refused(world(), QUEUE, { excludeGpus: "L40" }), /no GPU type of ADA_24/);
    assert.match(await refused(world(), QUEUE, { excludeGpus: "L40Z" }), /did you mean L40S?\?/);
    assert.match(await refused(world(), QUEUE, { pools: "ADA_25" }), /did you mean ADA_24\?/);
    assert.match(await refused(world(), CPU, { pools: "ADA_24" }), /it is a CPU endpoint/);
  });
});

describe("scaling", () => {
  test("a threshold alone keeps the kind that is there, and fits it", async () => {
    assert.equal(
      await bodyOf(world(), PINNED, { scaleThreshold: "2" }),
      '{"scaling":{"type":"REQUEST_COUNT","requestCount":2}}',
    );
    assert.equal(
      await bodyOf(world(), QUEUE, { scaleThreshold: "0.5" }),
      '{"scaling":{"type":"QUEUE_DELAY","queueDelay":0.5}}',
    );
    assert.match(await refused(world(), PINNED, { scaleThreshold: "1.5" }), /scales on REQUEST_COUNT/);
  });

  test("another kind needs its threshold, and the kind that is there keeps its own", async () => {
    assert.match(await refused(world(), QUEUE, { scaleBy: "requests" }), /needs --scale-threshold/);
    assert.equal((await plan(world(), QUEUE, { scaleBy: "delay" })).mutations.length, 0);
  });

  test("request count makes a queue endpoint's idle timeout vanish: sent without it, shown, and undone", async () => {
    const at = world();
    const made = await plan(at, QUEUE, { scaleBy: "requests", scaleThreshold: "4" });
    const [mutation] = made.mutations;
    assert.equal(
      JSON.stringify(mutation?.request.body),
      '{"scaling":{"type":"REQUEST_COUNT","requestCount":4}}',
    );
    assert.ok(mutation?.diff.some(({ path, after }) => path === "workers.idleTimeout" && after === null));
    assert.ok(mutation?.effects.some(({ code }) => code === "idle_timeout_vanishes"));
    assert.deepEqual(mutation?.undo, {
      possible: true,
      body: { workers: { idleTimeout: 5 }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 } },
    });
    assert.equal((await applyPlan(made, at.context)).outcome, "applied");
  });

  test("an idle timeout on request count is refused with the reason, not dropped", async () => {
    assert.match(
      await refused(world(), PINNED, { idleTimeout: "30" }),
      /idleTimeout does not apply to a queue endpoint that scales on REQUEST_COUNT/,
    );
    const both = { scaleBy: "requests", scaleThreshold: "1", idleTimeout: "30" };
    assert.match(await refused(world(), QUEUE, both), /does not apply/);
  });

  test("a minimum above the live maximum is refused", async () => {
    assert.match(
      await refused(world(), QUEUE, { workersMin: "6" }),
      /workers\.min 6 would be above workers\.max 5/,
    );
  });
});

describe("variables", () => {
  test("are merged into those that are there, whose values are sent again", async () => {
    const made = await plan(world(), QUEUE, { envFile: ".env" });
    const [mutation] = made.mutations;
    assert.deepEqual(Reflect.get(Object(mutation?.request.body), "env"), {
      MODEL_NAME: "turbo",
      HF_TOKEN: "{{ RUNPOD_SECRET_hf }}",
      S3_SECRET_ACCESS_KEY: "sandbox-not-a-real-secret-7f3a",
      ADDED: "1",
    });
    assert.ok(mutation?.effects.some(({ code }) => code === "resends_env"));
    assert.doesNotMatch(JSON.stringify(planDocument(made)), /turbo|not-a-real-secret/);
  });

  test("replace all others only when that is asked", async () => {
    const body = await bodyOf(world(), QUEUE, { envFile: ".env", envReplace: true });
    assert.equal(body, '{"env":{"MODEL_NAME":"turbo","ADDED":"1"}}');
  });
});

test("FlashBoot on changes neither a name that ends in -fb nor a priority that another update leaves alone", async () => {
  const at = world({}, (endpoint) => Object.assign(endpoint, { name: "img -fb", flashboot: "OFF" }));
  assert.equal((await apply(at, QUEUE, { flashboot: "on" })).outcome, "applied");
  assert.equal(at.box.state.endpoints.get(QUEUE)?.name, "img -fb");
  const priority = world({}, (endpoint) => Object.assign(endpoint, { flashboot: "PRIORITY_FLASHBOOT" }));
  assert.equal((await apply(priority, QUEUE, { workersMax: "8" })).outcome, "applied");
  assert.equal(priority.box.state.endpoints.get(QUEUE)?.flashboot, "PRIORITY_FLASHBOOT");
});

test("a minimum of workers is told before, and again after", async () => {
  const result = await apply(world(), QUEUE, { workersMin: "2" });
  const told =
    /workers\.min 2: 2 workers bill around the clock even without traffic, \$2\.232\/h, \$1629\.36\/month/;
  assert.match(result.plan.mutations[0]?.effects.map(({ text }) => text).join() ?? "", told);
  assert.match(closingText(result), told);
});

describe("what people met", () => {
  async function under(fault: Fault, given: Given): Promise<RunResult> {
    const at = world({}, (endpoint) => {
      endpoint.workers = { min: 0, max: 7, idleTimeout: 42 };
      endpoint.scaling = { type: "QUEUE_DELAY", queueDelay: 9 };
      endpoint.gpu = {
        pools: ["AMPERE_48", "ADA_48_PRO"],
        excludedTypes: ["NVIDIA RTX A6000", "NVIDIA L40"],
        count: 1,
        allowedCudaVersions: [],
        minCudaVersion: null,
      };
    });
    at.box.faults.add(fault);
    return await apply(at, QUEUE, given);
  }

  test("a write that resets three other fields is told with exactly these three, and how to put them back", async () => {
    const result = await under({ route: "patchEndpoint", kind: "reset-workers" }, { name: "x" });
    assert.equal(result.error?.code, "other_fields_changed");
    assert.deepEqual(
      result.applied[0]?.readBack?.otherFields.map(({ path }) => path),
      ["workers.max", "workers.idleTimeout", "scaling.queueDelay"],
    );
    assert.match(
      closingText(result),
      /put them back: readback serverless update 4m7x2k9q --workers-max 7 --idle-timeout 42 --scale-by delay --scale-threshold 9 --dry-run/,
    );
  });

  test("an image update that erases the exclusions is told with the command that restores them", async () => {
    const result = await under({ route: "patchEndpoint", kind: "drop-exclusions" }, { image: "acme/w:v4" });
    assert.equal(result.error?.code, "other_fields_changed");
    assert.match(
      closingText(result),
      /--pools AMPERE_48,ADA_48_PRO --exclude-gpus "NVIDIA RTX A6000,NVIDIA L40" --dry-run/,
    );
  });

  test("an answer that shows what no read shows is not applied", async () => {
    const result = await under({ route: "patchEndpoint", kind: "lying-echo" }, { workersMax: "8" });
    assert.equal(result.error?.code, "not_applied");
  });

  test("a change that becomes visible late is verified", async () => {
    const result = await under(
      { route: "patchEndpoint", kind: "delayed-visibility", reads: 2 },
      { workersMax: "8" },
    );
    assert.equal(result.outcome, "applied");
    assert.equal(result.applied[0]?.readBack?.reads, 3);
  });

  test("fields that nobody knows are neither sent nor a reason to fail", async () => {
    const at = world();
    at.box.faults.add({ route: "readEndpoint", kind: "unknown-field" });
    assert.equal((await apply(at, QUEUE, { name: "y" })).outcome, "applied");
    assert.equal(at.box.requests.find(({ method }) => method === "PATCH")?.body, '{"name":"y"}');
  });

  test("a 422 that names unknown fields says that the API may be newer than this tool", async () => {
    const body = {
      title: "Unprocessable Entity",
      status: 422,
      detail: "Request validation failed.",
      errors: ["scaling: additional properties 'queueDelay' not allowed"],
    };
    const result = await under(
      { route: "patchEndpoint", kind: "status", status: 422, body },
      { scaleThreshold: "4" },
    );
    assert.equal(result.error?.code, "unprocessable");
    assert.match(result.error?.message ?? "", /the API schema may be newer than this tool \(spec 2\.0\.0\)/);
  });

  test("any other 422 does not", async () => {
    const body = { title: "x", status: 422, detail: "idleTimeout does not apply" };
    const result = await under(
      { route: "patchEndpoint", kind: "status", status: 422, body },
      { workersMax: "8" },
    );
    assert.doesNotMatch(result.error?.message ?? "", /newer/);
  });
});

const FLAGS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name: fc.constantFrom("a", "b c", "ü"),
  workersMin: fc.constantFrom("0", "1"),
  workersMax: fc.nat({ max: 20 }).map((n) => String(n + 1)),
  idleTimeout: fc.integer({ min: 1, max: 3600 }).map(String),
  scaleThreshold: fc.integer({ min: 1, max: 9 }).map(String),
  flashboot: fc.constantFrom("off", "on", "priority"),
  executionTimeout: fc.constantFrom("5", "10m", "5500ms"),
  image: fc.constantFrom("acme/w:v4", "acme/w@sha256:0"),
  args: fc.constantFrom("--fast", 'say "hi"'),
  disk: fc.integer({ min: 1, max: 99 }).map(String),
  envFile: fc.constant(".env"),
  ports: fc.constantFrom("8000/http", "8000/http,22/tcp"),
  clearRegistry: fc.constant(true),
  pools: fc.constantFrom("ADA_24", "AMPERE_48,ADA_48_PRO", "ADA_48_PRO"),
  gpuCount: fc.constantFrom("1", "2"),
  minCuda: fc.constantFrom("12.4", "12.11"),
  dataCenterIds: fc.constantFrom("US-KS-2", "EU-RO-1,US-KS-2"),
};
const updates = fc
  .subarray(Object.keys(FLAGS), { minLength: 1, maxLength: 5 })
  .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, FLAGS[key] ?? fc.constant("")]))));

test("for 50 random updates the dry run's request is the recorded request, byte for byte", async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(updates, async (given) => {
      const at = world();
      const dry = await plan(at, QUEUE, given);
      assert.ok(at.sent().every((line) => line.startsWith("GET ")));
      const result = await apply(at, QUEUE, given);
      assert.equal(result.error, null);
      const sent = at.box.requests.filter(({ method }) => method === "PATCH");
      assert.deepEqual(
        sent.map(({ method, path, body }) => [method, path, body]),
        dry.mutations.map(({ request }) => [
          request.method,
          new URL(request.url ?? "").pathname,
          JSON.stringify(request.body),
        ]),
      );
      changed += sent.length;
    }),
    { numRuns: 50 },
  );
  assert.ok(changed > 25, `only ${changed} changed something`);
});
