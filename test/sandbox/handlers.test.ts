import assert from "node:assert/strict";
import { test } from "node:test";
import { HANDLERS } from "../../lib/sandbox/handlers/registry.ts";
import { createSandbox, type Work } from "../../lib/sandbox/mod.ts";
import { call, invoke, settings, status, submit } from "./_client.ts";

async function result(
  handler: string | (() => Work),
  input: object = { a: 1 },
): Promise<{ json: Record<string, unknown>; text: string }> {
  const sandbox = createSandbox();
  Object.assign(settings(sandbox), { handler, emptyInput: "works" });
  const job = await submit(sandbox, input);
  sandbox.clock.advance(30_000);
  const { text, json } = await invoke(sandbox, `GET status/${job}`);
  return { text, json };
}

test("the image generator takes a prompt, about three seconds, and always the same image", async () => {
  const [a, b] = [
    await result("generate-image", { prompt: "a" }),
    await result("generate-image", { prompt: "b" }),
  ];
  assert.deepEqual(
    [a.json["status"], a.json["executionTime"], a.json["output"]],
    ["COMPLETED", 3000, b.json["output"]],
  );
  const none = await result("generate-image", { steps: 3 });
  assert.deepEqual([none.json["status"], none.json["error"]], ["FAILED", "prompt is required"]);
});

test("fail returns an error beside its output, raise a string that contains JSON", async () => {
  const failed = (await result("fail", { error: "no luck" })).json;
  assert.deepEqual(
    [failed["status"], failed["error"], failed["output"]],
    ["FAILED", "no luck", { stage: "inference" }],
  );
  const raised = (await result("raise", { message: 'bad "prompt"' })).json;
  assert.deepEqual([raised["status"], "output" in raised], ["FAILED", false]);
  const error = JSON.parse(String(raised["error"]));
  assert.deepEqual(Object.keys(error), [
    "error_type",
    "error_message",
    "error_traceback",
    "hostname",
    "worker_id",
    "runpod_version",
  ]);
  assert.deepEqual([error.error_message, error.worker_id], ['bad "prompt"', raised["workerId"]]);
});

test("sleep takes as long as it is told", async () => {
  assert.equal((await result("sleep", { sleepMs: 12_345 })).json["executionTime"], 12_345);
});

test("big output is as big as it is told, to the byte", async () => {
  const { text } = await result("big-output", { bytes: 300_000 });
  const from = text.indexOf('"output":') + '"output":'.length;
  assert.equal(text.indexOf(',"workerId"') - from, 300_000);
});

test("big integers come as they are, also the keys that JavaScript would reorder", async () => {
  const { text } = await result("big-integers");
  assert.ok(
    text.includes(
      '"row":9007199254740993,"seed":18446744073709551615,"f":1.0,"z":-0.0,"gpuTypeId":"x","__proto__":{"a":1},"2":"b","1":"a"',
    ),
  );
});

test("a handler can be a function, and an unknown name is refused with the names there are", async () => {
  assert.equal((await result(() => ({ ms: 1, output: '"mine"' }))).json["output"], "mine");
  await assert.rejects(
    async () => {
      const sandbox = createSandbox();
      settings(sandbox).handler = "ekko";
      await submit(sandbox);
      sandbox.clock.advance(30_000);
    },
    (error: Error) => ["ekko", ...Object.keys(HANDLERS)].every((name) => error.message.includes(name)),
  );
});

test("cpu-inference echoes and transcriber streams in the healthy world", async () => {
  const sandbox = createSandbox();
  for (const [id, input, check] of [
    ["7c3v1n8p", { a: 1 }, (json: Record<string, unknown>) => assert.deepEqual(json["output"], { a: 1 })],
    ["3p8n6v2d", { chunks: 2 }, (json: Record<string, unknown>) => assert.equal("output" in json, false)],
  ] as const) {
    const { json } = await invoke(sandbox, "POST run", { id, body: { input } });
    sandbox.clock.advance(60_000);
    const done = (await call(sandbox, `GET /invoke/v2/${id}/status/${json.id}`)).json;
    assert.equal(done.status, "COMPLETED");
    check(done);
  }
  assert.equal((await status(sandbox, "nothing")).error, "job not found");
});
