import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSandbox, type Sandbox, type ServedSandbox, serve } from "../../lib/sandbox/mod.ts";
import { call, countingServer, ended, errorOf, KEY, start } from "./_spawn.ts";

describe("stdout", () => {
  test("has 3 MiB whole on a pipe that is read late", async () => {
    const server = await countingServer(
      JSON.stringify({ id: "ep1", name: "n", blob: "x".repeat(3 * 1024 * 1024) }),
    );
    try {
      const child = start(["serverless", "get", "ep1"], { env: server.env });
      await new Promise((resolve) => child.stdout?.once("readable", resolve));
      await new Promise((resolve) => setTimeout(resolve, 150)); // the pipe is full by now
      const { status, stdout } = await ended(child);
      assert.equal(status, 0);
      assert.equal(JSON.parse(stdout).blob.length, 3 * 1024 * 1024);
    } finally {
      await server.close();
    }
  });

  test("passes numbers on as they came, and masks env unless asked not to", async () => {
    const text = '{"id":"ep1","big":18446744073709551615,"one":1.0,"env":{"HF_TOKEN":"hf_secret"}}';
    const server = await countingServer(text);
    try {
      const masked = await call(["serverless", "get", "ep1"], { env: server.env });
      assert.match(masked.stdout, /"big": 18446744073709551615,\n {2}"one": 1\.0,/);
      assert.doesNotMatch(masked.stdout, /hf_secret/);
      const shown = await call(["serverless", "get", "ep1", "--show-secrets"], { env: server.env });
      assert.match(shown.stdout, /"HF_TOKEN": "hf_secret"/);
    } finally {
      await server.close();
    }
  });
});

describe("against a served sandbox", () => {
  let sandbox: Sandbox;
  let served: ServedSandbox;
  before(async () => {
    sandbox = createSandbox();
    served = await serve(sandbox);
  });
  after(() => served.close());

  const ONE_DOCUMENT: readonly (readonly string[])[] = [
    ["recipes", "--json"],
    ["recipes", "pin-gpu", "--json"],
    ["history", "--json"],
    ["doctor", "--json"],
    ["serverless", "list"],
    ["serverless", "get", "image-generator", "--json"],
    ["run", "pin-gpu", "image-generator", "--gpu", "L40S", "--dry-run", "--json"],
    ["run", "pin-gpu", "image-generator", "--gpu", "L40S", "--yes", "--json", "--sandbox"],
  ];
  for (const args of ONE_DOCUMENT) {
    test(`readback ${args.join(" ")} prints one JSON document and ends with stdin left open`, async () => {
      const child = start(args, { env: served.env, stdin: "open" });
      const { status, stdout } = await ended(child);
      assert.equal(status, 0);
      assert.equal(typeof JSON.parse(stdout), "object");
    });
  }

  test("an error is one JSON line on stderr, and stdout is empty", async () => {
    const called = await call(["serverless", "get", "image-generatr"], { env: served.env });
    assert.equal(called.status, 1);
    assert.equal(called.stdout, "");
    const { error, code, retryable, status, followUp, details } = errorOf(called);
    assert.match(String(error), /no endpoint "image-generatr" by id or by name \(searched 4 endpoints\)/);
    assert.deepEqual(
      [code, retryable, status, followUp],
      ["not_found", false, 404, "readback serverless list"],
    );
    assert.deepEqual(details, { endpoint: "image-generatr", near: ["image-generator"] });
  });

  test("each kind of failure has its exit status and code", async () => {
    const pin = ["run", "pin-gpu", "image-generator", "--gpu"];
    const cases: readonly (readonly [number, string, readonly string[], Record<string, string>])[] = [
      [1, "not_found", ["serverless", "get", "nope"], served.env],
      [1, "unauthorized", ["serverless", "list"], { ...served.env, RUNPOD_API_KEY: KEY }],
      [1, "forbidden", ["serverless", "list"], { ...served.env, RUNPOD_API_KEY: sandbox.noAccessKey }],
      [1, "no_credentials", ["serverless", "list"], { ...served.env, RUNPOD_API_KEY: "" }],
      [2, "usage_error", [...pin, "RTX 9999"], served.env],
      [2, "usage_error", ["run", "pin-gpu", "cpu-inference", "--gpu", "L40S"], served.env],
      [2, "usage_error", ["serverless", "list"], { RUNPOD_API_BASE_URL: served.url, RUNPOD_API_KEY: KEY }],
      [3, "not_confirmed", [...pin, "L40S"], served.env],
    ];
    for (const [status, code, args, env] of cases) {
      const called = await call(args, { env });
      assert.equal(called.status, status, `${args.join(" ")}: ${called.stderr}`);
      assert.equal(errorOf(called)["code"], code);
    }
    assert.equal(sandbox.requests.filter(({ method }) => method !== "GET").length, 0);
  });

  test("a refused connection is a network error", async () => {
    const env = {
      RUNPOD_API_BASE_URL: "http://127.0.0.1:1",
      RUNPOD_INVOKE_URL: "http://127.0.0.1:1",
      RUNPOD_API_KEY: KEY,
    };
    const called = await call(["serverless", "list", "--timeout", "5s"], { env });
    assert.equal(called.status, 1);
    assert.equal(errorOf(called)["code"], "network_error");
  });

  test("the key is in no output: not of a good call, a refused one, a broken key, or a key typed for a word", async () => {
    const broken = `${KEY}\nX`;
    const calls = [
      await call(["doctor"], { env: { ...served.env, RUNPOD_API_KEY: KEY } }),
      await call(["serverless", "list"], { env: { ...served.env, RUNPOD_API_KEY: KEY } }),
      await call(["serverless", "list"], { env: { ...served.env, RUNPOD_API_KEY: broken } }),
      await call(["doctor", "--json"], { env: { ...served.env, RUNPOD_API_KEY: broken } }),
      await call([KEY], { env: { ...served.env, RUNPOD_API_KEY: KEY } }),
      await call(["serverless", "get", KEY], { env: { ...served.env, RUNPOD_API_KEY: KEY } }),
      await call(["run", KEY], { env: { ...served.env, RUNPOD_API_KEY: broken } }),
    ];
    for (const { status, stdout, stderr } of calls) {
      assert.notEqual(status, 0);
      assert.doesNotMatch(stdout + stderr, /VERYSECRETKEY/);
    }
  });
});
