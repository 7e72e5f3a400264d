import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { arg } from "../lib/arg.ts";
import { isReadbackError, type ReadbackError } from "../lib/errors.ts";
import type { Ops } from "../lib/ops.ts";
import { planDocument } from "../lib/plan/document.ts";
import { previewText } from "../lib/plan/preview.ts";
import { defineRecipe, type Recipe } from "../lib/recipe.ts";
import { applyPlan } from "../lib/run/apply-plan.ts";
import { planRecipe } from "../lib/run/plan-recipe.ts";
import type { Scope } from "../lib/scopes.ts";
import { type ShellValue, shell } from "../lib/shell.ts";
import { bench, loaded } from "./run/_sandbox.ts";

const given = { endpoint: "4m7x2k9q" };

function recipe(mutates: readonly Scope[], run: (ops: Ops<Scope>) => Promise<unknown>): Recipe {
  return defineRecipe({
    name: "with-shell",
    summary: "Runs a command",
    args: { endpoint: arg.endpoint() },
    mutates,
    run: (ops) => run(ops as unknown as Ops<Scope>),
  });
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "readback shell "));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function looking(run: (ops: Ops<Scope>) => Promise<unknown>): Promise<unknown> {
  return (await planRecipe(loaded(recipe([], run)), given, bench().context)).value;
}

async function failure(run: (ops: Ops<Scope>) => Promise<unknown>): Promise<ReadbackError> {
  const error: unknown = await looking(run).then(
    () => null,
    (thrown) => thrown,
  );
  assert.ok(isReadbackError(error), String(error));
  return error;
}

test("a dry run shows a command that changes something and does not run it; an apply runs it once", () =>
  inFolder(async (folder) => {
    const file = join(folder, "made it");
    const touching = recipe(["shell"], async (ops) => await shell(ops)`touch ${file}`);
    const at = bench();
    const plan = await planRecipe(loaded(touching), given, at.context);
    assert.equal(existsSync(file), false);
    const [mutation] = plan.mutations;
    assert.match(mutation?.summary ?? "", /^Run touch .*made it/);
    assert.match(previewText(plan, { keyFingerprint: "0" }), /shell {2}touch /);
    assert.match(JSON.stringify(planDocument(plan)), /"request":\{"method":"SHELL","command":"touch /);
    const result = await applyPlan(plan, at.context);
    assert.equal(result.outcome, "applied");
    assert.equal(existsSync(file), true);
    assert.deepEqual(
      at.journal.map(({ event }) => event),
      ["planned", "sent", "verified", "finished"],
    );
  }));

test("a command that only looks runs in a dry run, and its output is a value", async () => {
  const value = await looking(async (ops) => {
    const { stdout } = await shell(ops, { looks: true })`echo ${"a b"} ${["c", "d e"]}`;
    return stdout.trim();
  });
  assert.equal(value, "a b c d e");
});

test("what a changing command prints is known later: a look at it leaves the plan incomplete", async () => {
  const curious = recipe(["shell"], async (ops) => (await shell(ops)`echo hi`).stdout);
  const at = bench();
  const plan = await planRecipe(loaded(curious), given, at.context);
  assert.equal(plan.complete, false);
  assert.deepEqual(plan.unknown, { step: "shell", text: "what echo hi prints", remainingScopes: ["shell"] });
  const result = await applyPlan(plan, at.context);
  assert.equal(result.value, "hi\n");
  assert.equal(result.applied.length, 1);
});

test("a command that is not declared is refused, with the types cast away", async () => {
  const { code } = await failure(async (ops) => await shell(ops)`echo hi`);
  assert.equal(code, "undeclared_mutation");
});

test("an undefined, null or empty value is refused before anything runs", async () => {
  for (const value of [undefined, null, "", [], [""], Number.NaN, {}]) {
    const { code, message } = await failure(
      async (ops) => await shell(ops, { looks: true })`rm -rf /tmp/x/${value as ShellValue}`,
    );
    assert.equal(code, "usage_error");
    assert.match(message, /value 1 is /);
  }
});

test("a failure is shell_failed, with the last lines of stderr", async () => {
  const script = "for i in 1 2 3 4 5 6 7; do echo line $i >&2; done; exit 3";
  const { code, message, details } = await failure(
    async (ops) => await shell(ops, { looks: true })`sh -c ${script}`,
  );
  assert.equal(code, "shell_failed");
  assert.equal(details["exitCode"], 3);
  assert.match(message, /line 7$/);
  assert.doesNotMatch(message, /line 2/);
});

test("a command that a signal ended is 128 + n", async () => {
  const { details } = await failure(
    async (ops) => await shell(ops, { looks: true })`sh -c ${"kill -TERM $$"}`,
  );
  assert.equal(details["exitCode"], 143);
});

test("secrets of the environment are passed on only when they are named", async () => {
  process.env["READBACK_TEST_TOKEN"] = "hush";
  try {
    const print = "echo [$READBACK_TEST_TOKEN]";
    const value = await looking(async (ops) => [
      (await shell(ops, { looks: true })`sh -c ${print}`).stdout.trim(),
      (await shell(ops, { looks: true, secrets: ["READBACK_TEST_TOKEN"] })`sh -c ${print}`).stdout.trim(),
    ]);
    assert.deepEqual(value, ["[]", "[hush]"]);
  } finally {
    delete process.env["READBACK_TEST_TOKEN"];
  }
});

test("the API key is masked in a command that is shown", async () => {
  const at = bench();
  const leaking = recipe(
    ["shell"],
    async (ops) => await shell(ops)`curl -H ${`Authorization: ${at.box.key}`} x`,
  );
  const plan = await planRecipe(loaded(leaking), given, at.context);
  assert.equal(JSON.stringify(planDocument(plan)).includes(at.box.key), false);
});
