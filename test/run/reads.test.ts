import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arg } from "../../lib/arg.ts";
import { isReadbackError } from "../../lib/errors.ts";
import type { Ops } from "../../lib/ops.ts";
import { defineRecipe } from "../../lib/recipe.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import { billing } from "../../lib/steps/billing.ts";
import { logs } from "../../lib/steps/logs.ts";
import { releases } from "../../lib/steps/releases.ts";
import { workers } from "../../lib/steps/workers.ts";
import { bench, loaded } from "./_sandbox.ts";

const BILL = {
  records: [
    {
      startTime: "2026-06-01T00:00:00Z",
      endTime: "2026-06-02T00:00:00Z",
      serverlessId: "4m7x2k9q",
      totalAmount: 8.9,
      gpuAmount: 7.5,
      cpuAmount: 0,
      diskAmount: 0.4,
      feeAmount: 1.0,
    },
  ],
  metadata: {
    query: { startTime: "2026-06-01T00:00:00Z", endTime: "2026-06-02T00:00:00Z", bucketSize: "day" },
    recordCount: 1,
    uniqueServerlessCount: 1,
    totals: { totalAmount: 8.9, gpuAmount: 7.5, cpuAmount: 0, diskAmount: 0.4, feeAmount: 1.0 },
  },
};
const RELEASES = {
  endpointVersion: 4,
  rollout: { inProgress: true, workersOnLatest: 1, workersTotal: 2, percentOnLatest: 50 },
  releases: [
    {
      id: "5r9x2m7q",
      version: 4,
      source: "MANUAL",
      buildId: null,
      createdByUserId: null,
      workerCount: 1,
      createdAt: "2026-08-05T21:40:00Z",
      diff: [{ field: "template.env", old: null, new: { HF_TOKEN: "hf_secret" } }],
    },
  ],
};
const WORKERS = {
  endpointVersion: 4,
  summary: { running: 1, idle: 0, initializing: 0, throttled: 0, unhealthy: 0, total: 1 },
  workers: [
    { id: "w1", status: "RUNNING", isStale: false, gpuCount: 1, env: { RUNPOD_AI_API_KEY: "rpa_y" } },
  ],
};

/** Runs a read-only recipe against the sandbox, with some answers given by hand. */
async function read<T>(run: (ops: Ops) => Promise<T>, answers: Readonly<Record<string, unknown>> = {}) {
  const at = bench();
  const seen: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    seen.push(`${request.method} ${pathname}${search}`);
    const answer = answers[pathname];
    if (answer instanceof ReadableStream)
      return Promise.resolve(new Response(answer, { headers: { "content-type": "text/event-stream" } }));
    return answer === undefined ? at.box.fetch(request) : Promise.resolve(Response.json(answer));
  };
  const recipe = defineRecipe({
    name: "reads",
    summary: "Read",
    args: { endpoint: arg.endpoint() },
    mutates: [],
    run,
  });
  const { value } = await planRecipe(loaded(recipe), { endpoint: "4m7x2k9q" }, { ...at.context, fetch });
  return { value: value as T, seen };
}

describe("the steps that look", () => {
  test("workers() reads the sandbox's list", async () => {
    const { value, seen } = await read((ops) => workers(ops, "4m7x2k9q"));
    assert.equal(value.summary.total, value.workers.length);
    assert.equal(seen.at(-1), "GET /v2/serverless/4m7x2k9q/workers");
  });

  test("workers() takes a worker without its optional fields, and masks an env that should not be there", async () => {
    const { value } = await read((ops) => workers(ops, "4m7x2k9q"), {
      "/v2/serverless/4m7x2k9q/workers": WORKERS,
    });
    assert.equal(value.workers[0]?.uptimeSeconds, undefined);
    assert.doesNotMatch(JSON.stringify(value), /rpa_y/);
  });

  test("releases() gives the rollout, with the values of env masked in the diff", async () => {
    const { value, seen } = await read((ops) => releases(ops, "4m7x2k9q"), {
      "/v2/serverless/4m7x2k9q/releases": RELEASES,
    });
    assert.equal(value.rollout?.percentOnLatest, 50);
    assert.deepEqual(value.releases[0]?.diff, [
      { field: "template.env", old: null, new: { HF_TOKEN: "***" } },
    ]);
    assert.equal(seen.at(-1), "GET /v2/serverless/4m7x2k9q/releases");
  });

  test("billing() asks for Serverless by endpoint and bucket, and leaves out what was not given", async () => {
    const { value, seen } = await read(
      (ops) => billing(ops, { endpoint: "4m7x2k9q", bucketSize: "day", lastN: 7 }),
      { "/v2/billing/serverless": BILL },
    );
    assert.equal(value.records[0]?.totalAmount, 8.9);
    assert.equal(seen.at(-1), "GET /v2/billing/serverless?bucketSize=day&lastN=7&serverlessId=4m7x2k9q");
  });

  test("logs() gives the lines of the named workers without a list, and how each was read", async () => {
    let isCancelled = false;
    const stream = new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode('id: T\ndata: {"source":"system","line":"hi","ts":"T"}\n\n'),
        ),
      cancel: () => {
        isCancelled = true;
      },
    });
    const { value, seen } = await read((ops) => logs(ops, "4m7x2k9q", { workers: ["w1"], tail: 20 }), {
      "/v2/serverless/4m7x2k9q/workers/w1/logs": stream,
    });
    assert.deepEqual(value, {
      lines: [{ source: "system", line: "hi", ts: "T", workerId: "w1" }],
      workers: [{ worker: "w1", lines: 1, ended: "quiet", error: null }],
    });
    assert.deepEqual(seen.slice(1), ["GET /v2/serverless/4m7x2k9q/workers/w1/logs?tail=20"]);
    assert.equal(isCancelled, true);
  });

  test("logs() refuses what the service would refuse, before anything is sent", async () => {
    for (const options of [{ tail: 5_001 }, { tail: 0.5 }, { since: "yesterday" }]) {
      await assert.rejects(
        read((ops) => logs(ops, "4m7x2k9q", options)),
        (error) => isReadbackError(error, "usage_error"),
      );
    }
  });

  test("each says what is not as documented", async () => {
    const steps: readonly ((ops: Ops) => Promise<unknown>)[] = [
      (ops: Ops) => workers(ops, "4m7x2k9q"),
      (ops: Ops) => releases(ops, "4m7x2k9q"),
      (ops: Ops) => billing(ops),
    ];
    for (const step of steps) {
      const odd = {
        "/v2/serverless/4m7x2k9q/workers": [],
        "/v2/serverless/4m7x2k9q/releases": { releases: null },
        "/v2/billing/serverless": { records: [{}] },
      };
      await assert.rejects(read(step, odd), (error) => isReadbackError(error, "api_error"));
    }
  });
});
