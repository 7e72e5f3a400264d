import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { EndpointPatch } from "../../lib/api/endpoint.ts";
import { arg } from "../../lib/arg.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { listRuns } from "../../lib/history/list.ts";
import { openJournal } from "../../lib/history/open.ts";
import { readResult, readRun, recordOf } from "../../lib/history/read.ts";
import { resultDocument } from "../../lib/plan/document.ts";
import type { RunResult } from "../../lib/plan/result.ts";
import { defineRecipe, type Recipe } from "../../lib/recipe.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import { undoRecipe } from "../../lib/run/undo-recipe.ts";
import { shell } from "../../lib/shell.ts";
import { patch } from "../../lib/steps/patch.ts";
import { readEndpoint } from "../../lib/steps/read-endpoint.ts";
import { restoring } from "../../lib/steps/restoring.ts";
import { applyPin, type Bench, bench, loaded } from "./_sandbox.ts";

const ID = "4m7x2k9q";

async function withHistory(work: (folder: string, at: Bench) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "readback-history-"));
  const at = bench();
  const startJournal = (runId: string) => openJournal(join(folder, "runs"), runId, at.context.clock.now);
  try {
    await work(join(folder, "runs"), { ...at, context: { ...at.context, startJournal } });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function undo(folder: string, runId: string, at: Bench): Promise<RunResult> {
  const { recipe, given } = undoRecipe(await readRun(folder, runId), at.context.target.host);
  return await applyPlan(await planRecipe(loaded(recipe), given, at.context), at.context);
}

function patching(...bodies: readonly EndpointPatch[]): Recipe {
  return defineRecipe({
    name: "patching",
    summary: "Patch a few times",
    args: { endpoint: arg.endpoint() },
    mutates: ["patch:workers", "patch:env", "patch:scaling", "patch:gpu"],
    async run(ops, { endpoint }) {
      for (const body of bodies) await patch(ops as never, await readEndpoint(ops, endpoint), body as never);
    },
  });
}

async function apply(recipe: Recipe, at: Bench): Promise<RunResult> {
  return await applyPlan(await planRecipe(loaded(recipe), { endpoint: ID }, at.context), at.context);
}

test("undo puts the selection back, verified, and a second undo finds nothing to do", () =>
  withHistory(async (folder, at) => {
    const { runId } = await applyPin(at);
    const undone = await undo(folder, runId, at);
    assert.equal(undone.outcome, "applied");
    assert.deepEqual(undone.applied[0]?.after?.gpu?.pools, ["ADA_24"]);
    assert.equal((await undo(folder, runId, at)).outcome, "unchanged");
  }));

test("undo works from a result document too", () =>
  withHistory(async (folder, at) => {
    const result = await applyPin(at);
    const path = join(folder, "result.json");
    await (await import("node:fs/promises")).writeFile(path, JSON.stringify(resultDocument(result)));
    const { recipe, given } = undoRecipe(await readResult(path), at.context.target.host);
    const undone = await applyPlan(await planRecipe(loaded(recipe), given, at.context), at.context);
    assert.equal(undone.outcome, "applied");
  }));

test("undo of a switch to REQUEST_COUNT restores the endpoint field for field", () =>
  withHistory(async (folder, at) => {
    const before = structuredClone(at.box.state.endpoints.get(ID));
    const { runId } = await apply(patching({ scaling: { type: "REQUEST_COUNT", requestCount: 2 } }), at);
    assert.equal((await undo(folder, runId, at)).outcome, "applied");
    assert.deepEqual(at.box.state.endpoints.get(ID)?.scaling, before?.scaling);
    assert.deepEqual(at.box.state.endpoints.get(ID)?.workers, before?.workers);
  }));

test("undo of several changes of one endpoint is one change, to the values before the first", () =>
  withHistory(async (folder, at) => {
    const { runId } = await apply(
      patching({ workers: { max: 7 } }, { workers: { max: 9, idleTimeout: 60 } }),
      at,
    );
    const undone = await undo(folder, runId, at);
    assert.deepEqual(
      undone.applied.map(({ mutation }) => mutation.request.body),
      [{ workers: { max: 5, idleTimeout: 5 } }],
    );
  }));

test("undo of what a run put back itself sends nothing", () =>
  withHistory(async (folder, at) => {
    const bounce = defineRecipe({
      name: "bounce",
      summary: "Stop and put back",
      args: { endpoint: arg.endpoint() },
      mutates: ["patch:workers"],
      async run(ops, { endpoint }) {
        const stop = await patch(ops, await readEndpoint(ops, endpoint), { workers: { max: 0 } });
        await restoring(ops, stop, { workers: { max: stop.before.workers.max } });
      },
    });
    const { runId } = await apply(bounce, at);
    assert.equal((await undo(folder, runId, at)).outcome, "unchanged");
  }));

test("undo refuses with drift what somebody set since", () =>
  withHistory(async (folder, at) => {
    const { runId } = await apply(patching({ workers: { max: 9 } }), at);
    const endpoint = at.box.state.endpoints.get(ID);
    if (endpoint) endpoint.workers.max = 3;
    await assert.rejects(undo(folder, runId, at), (error) => isReadbackError(error, "drift"));
  }));

test("undo refuses a run of another host with exit 3, and an env change with its reason", () =>
  withHistory(async (folder, at) => {
    const { runId } = await apply(patching({ env: { MODEL_NAME: "m2" } }), at);
    const record = await readRun(folder, runId);
    assert.throws(
      () => undoRecipe(record, "api.runpod.io"),
      (error) => isReadbackError(error, "limit_exceeded"),
    );
    assert.throws(() => undoRecipe(record, at.context.target.host), /values of env are not recorded/);
  }));

test("a record is for its owner alone and holds neither key nor values of env", () =>
  withHistory(async (folder, at) => {
    await apply(patching({ env: { MODEL_NAME: "hush-hush" } }), at);
    const [name = ""] = await readdir(folder);
    const text = await readFile(join(folder, name), "utf8");
    assert.equal(((await stat(join(folder, name))).mode & 0o777).toString(8), "600");
    const values = Object.values(at.box.state.endpoints.get(ID)?.env ?? {});
    for (const hidden of [at.box.key, ...values]) assert.equal(text.includes(hidden), false, hidden);
    assert.match(text, /MODEL_NAME/);
  }));

test("a run that was cut off is listed without an outcome, and what it sent can be undone", () =>
  withHistory(async (folder, at) => {
    const { runId } = await applyPin(at);
    const [name = ""] = await readdir(folder);
    const lines = (await readFile(join(folder, name), "utf8")).split("\n");
    const cut = recordOf(runId, `${lines.slice(0, 2).join("\n")}\n{"event":"answ`);
    assert.equal(cut.outcome, null);
    assert.deepEqual(cut.applied, [{ n: 1, status: "unknown", readBack: null }]);
    const { recipe, given } = undoRecipe(cut, at.context.target.host);
    assert.equal((await planRecipe(loaded(recipe), given, at.context)).mutations.length, 1);
  }));

test("the history lists runs newest first, and counts records that cannot be read", () =>
  withHistory(async (folder, at) => {
    const first = await applyPin(at);
    at.box.clock.advance(1000);
    const second = await undo(folder, first.runId, at);
    await (await import("node:fs/promises")).writeFile(join(folder, "broken.jsonl"), "not json\n");
    const { runs, unreadable } = await listRuns(folder);
    assert.deepEqual(
      runs.map(({ runId }) => runId),
      [second.runId, first.runId],
    );
    assert.equal(unreadable, 1);
    assert.deepEqual(await listRuns(join(folder, "nowhere")), { runs: [], unreadable: 0 });
  }));

test("a run id that is none, and one that is unknown, are told apart", async () => {
  await assert.rejects(readRun("/nowhere", "../../etc/passwd"), (error) =>
    isReadbackError(error, "usage_error"),
  );
  await assert.rejects(readRun("/nowhere", "20261130T120000Z-7f3a"), (error) =>
    isReadbackError(error, "not_found"),
  );
});

test("a run with a shell command is in the history, and its undo says why there is none", () =>
  withHistory(async (folder, at) => {
    const recipe = defineRecipe({
      name: "with-shell",
      summary: "Runs a command",
      args: { endpoint: arg.endpoint() },
      mutates: ["shell"],
      run: async (ops) => void (await shell(ops)`true`),
    });
    const { runId, outcome } = await apply(recipe, at);
    assert.equal(outcome, "applied");
    const { runs, unreadable } = await listRuns(folder);
    assert.deepEqual([runs.map((run) => run.runId), unreadable], [[runId], 0]);
    await assert.rejects(undo(folder, runId, at), /Cannot undo change 1 of run/);
  }));
