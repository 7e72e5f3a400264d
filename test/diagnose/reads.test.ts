import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decidingFailure } from "../../lib/diagnose/document.ts";
import { exitStatus, isReadbackError, type ReadbackError } from "../../lib/errors.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import diagnose from "../../recipes/diagnose.ts";
import { told } from "./_assert.ts";
import { benchOf, diagnoseWorld, ID, type World } from "./_world.ts";

const world = (given: Partial<World>): World => ({ title: "", expect: {}, ...given });
const loaded = { recipe: diagnose, source: "built-in", digest: "sha256:0" };

async function failureOf(given: Partial<World>): Promise<{ error: ReadbackError; requests: number }> {
  const bench = benchOf(world(given));
  const error = await planRecipe(loaded, { endpoint: ID }, bench.context).catch((thrown: unknown) => thrown);
  assert.ok(isReadbackError(error), String(error));
  return { error, requests: bench.requests.length };
}

describe("the reads of a diagnosis", () => {
  test("are config, health and workers, side by side: none waits for another's answer", async () => {
    const bench = benchOf(world({}));
    const { fetch } = bench.context;
    let open = (): void => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    let arrived = 0;
    const gated = async (request: Request): Promise<Response> => {
      arrived += 1;
      if (arrived === 3) open();
      await all;
      return (await fetch?.(request)) as Response;
    };
    await planRecipe(loaded, { endpoint: ID }, { ...bench.context, fetch: gated });
    assert.deepEqual(bench.requests.toSorted(), [
      `GET /invoke/v2/${ID}/health`,
      `GET /v2/serverless/${ID}`,
      `GET /v2/serverless/${ID}/workers`,
    ]);
  });

  test("find an endpoint by its name, and ask nothing in vain for a name that is no id", async () => {
    const named = world({ endpoint: { name: "image-generator" }, ask: { endpoint: "image-generator" } });
    const { document, requests } = await diagnoseWorld(named);
    assert.equal(document.endpoint.id, ID);
    assert.deepEqual(requests.slice(0, 2), ["GET /v2/serverless/image-generator", "GET /v2/serverless"]);
    assert.equal(requests.length, 4);
  });

  test("name an endpoint that does not exist", async () => {
    const bench = benchOf(world({}));
    await assert.rejects(
      planRecipe(loaded, { endpoint: "nothing" }, bench.context),
      (error) => isReadbackError(error, "not_found") && exitStatus(error.code) === 1,
    );
  });

  test("that fail end it: an error names each of them and its status, and nothing more is asked (case B68)", async () => {
    const { error, requests } = await failureOf({ health: { status: 401 }, workers: { status: 403 } });
    assert.match(error.message, /health: HTTP 401/);
    assert.match(error.message, /workers: HTTP 403/);
    assert.deepEqual(error.details["reads"], [
      { read: "health", status: 401, code: "unauthorized" },
      { read: "workers", status: 403, code: "forbidden" },
    ]);
    assert.equal(exitStatus(error.code), 1);
    assert.equal(requests, 3);
  });

  for (const read of ["health", "workers"] as const)
    test(`end it where ${read} answers 500, however often it is asked`, async () => {
      const { error } = await failureOf({ [read]: { status: 500 } });
      assert.equal(error.code, "server_error");
      assert.match(error.message, new RegExp(`without ${read}: ${read}: HTTP 500`));
    });

  test("end it where a queue has no health, which a load balancer may lack", async () => {
    const { error } = await failureOf({ health: { status: 404 } });
    assert.match(error.message, /health: HTTP 404/);
  });

  test("of logs are made side by side, of four workers at most, and take less than ten seconds", async () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const bench = benchOf(
      world({
        health: [{ jobs: { inQueue: 3 }, workers: { running: 6 } }],
        workers: ids.map((id) => ({ id, status: "RUNNING" })),
        logs: Object.fromEntries(ids.map((id) => [id, "hang"])),
      }),
    );
    const startMs = bench.context.clock.now();
    const plan = await planRecipe(loaded, { endpoint: ID }, bench.context);
    assert.ok(bench.context.clock.now() - startMs <= 10_000);
    assert.equal(bench.requests.filter((request) => request.includes("/logs?")).length, 4);
    assert.equal((plan.value as { verdict: string }).verdict, "unclear");
  });

  test("of one log that decides and cannot be read leave it unclear, with that read", async () => {
    const { document } = await diagnoseWorld(
      world({
        health: [{ jobs: { inQueue: 3 }, workers: { running: 1 } }],
        workers: [{ id: "w1", status: "RUNNING" }],
        logs: { w1: { status: 403 } },
      }),
    );
    assert.equal(document.verdict, "unclear", told(document));
    assert.deepEqual(document.findings, []);
    assert.equal(document.unsettled[0]?.command, `readback serverless logs ${ID} --worker w1`);
    const failed = document.reads.find(({ ok }) => !ok);
    assert.deepEqual(
      [failed?.read, failed?.worker, failed?.status, failed?.code],
      ["logs", "w1", 403, "forbidden"],
    );
  });

  test("of the log of a job's worker that is gone are such a read too", async () => {
    const { document } = await diagnoseWorld(
      world({
        ask: { job: "j1" },
        job: {
          id: "j1",
          status: "FAILED",
          workerId: "w9",
          error: "job timed out after 1 retries",
          retries: 1,
        },
        logs: { w9: { status: 404 } },
      }),
    );
    assert.equal(document.verdict, "unclear");
    assert.equal(decidingFailure(document)?.code, "not_found");
    assert.match(document.unsettled[0]?.because ?? "", /could not be read/);
    assert.equal(document.unsettled[0]?.command, `readback serverless logs ${ID} --worker w9`);
  });

  test("sample health twice while jobs wait, five seconds apart, and once where none waits", async () => {
    const waits = await diagnoseWorld(world({ health: [{ jobs: { inQueue: 1 } }] }));
    const times = waits.document.reads
      .filter(({ read }) => read === "health" || read === "earlierHealth")
      .map(({ at }) => Date.parse(at));
    assert.equal((times[1] ?? 0) - (times[0] ?? 0), 5_000);
    const idle = await diagnoseWorld(world({}));
    assert.equal(idle.requests.filter((request) => request.endsWith("/health")).length, 1);
  });

  test("end with the interrupt, and not as a failed read", async () => {
    const bench = benchOf(world({ health: [{ jobs: { inQueue: 1 } }] }));
    const stop = new AbortController();
    const fetch = async (request: Request): Promise<Response> => {
      stop.abort();
      return (await bench.context.fetch?.(request)) as Response;
    };
    await assert.rejects(
      planRecipe(loaded, { endpoint: ID }, { ...bench.context, signal: stop.signal, fetch }),
      (error) => isReadbackError(error, "interrupted"),
    );
  });
});
