import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Fault, type Sandbox } from "../../lib/sandbox/mod.ts";
import { BALANCER, call, PINNED, patch, QUEUE, read } from "./_client.ts";

const LIST = "GET /v2/serverless";
const MAX_8 = { workers: { max: 8 } };

function withFault(fault: Fault): Sandbox {
  const sandbox = createSandbox();
  sandbox.faults.add(fault);
  return sandbox;
}

const stored = (sandbox: Sandbox, id = QUEUE) => sandbox.state.endpoints.get(id);

test("a fault names a route and a kind that exist", () => {
  const { faults } = createSandbox();
  assert.throws(() => faults.add({ route: "patchEndpint", kind: "reset" }), /patchEndpoint/);
  assert.throws(() => faults.add({ route: "*", kind: "flood" } as unknown as Fault), /lying-echo/);
});

test("a fault hits its route, after some requests, some times, where it matches, until it is removed", async () => {
  const sandbox = createSandbox();
  const fault = sandbox.faults.add({
    ...{ route: "readEndpoint", kind: "status", status: 503, after: 1, times: 2 },
    match: ({ path }) => path.endsWith(QUEUE),
  });
  const statuses: number[] = [];
  for (const path of ["", `/${PINNED}`, ...Array(4).fill(`/${QUEUE}`)]) {
    statuses.push((await call(sandbox, LIST + path)).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 503, 503, 200]);
  assert.equal(fault.fired, 2);
  const forever = sandbox.faults.add({ route: "*", kind: "status", status: 500 });
  assert.equal((await call(sandbox, LIST)).status, 500);
  forever.remove();
  assert.equal((await call(sandbox, LIST)).status, 200);
  sandbox.faults.add({ route: "*", kind: "status", status: 500 });
  sandbox.faults.clear();
  assert.equal((await call(sandbox, LIST)).status, 200);
});

test("status answers as told, also with a redirect, an empty body or noise, and without effect", async () => {
  const faults: readonly Fault[] = [
    { route: "*", kind: "status", status: 204 },
    { route: "*", kind: "status", status: 307, headers: { location: "https://elsewhere.example/" } },
    { route: "*", kind: "status", status: 422, body: { title: "x", errors: ["a", "b"] } },
    { route: "*", kind: "status", status: 500, body: "oops", contentType: "text/weird" },
  ];
  const expected = [
    ["", null],
    ["", null],
    ['{"title":"x","errors":["a","b"]}', "application/json"],
    ["oops", "text/weird"],
  ];
  for (const [i, fault] of faults.entries()) {
    const sandbox = withFault(fault);
    const answer = await patch(sandbox, QUEUE, MAX_8);
    assert.equal(answer.status, fault.kind === "status" && fault.status);
    assert.deepEqual([answer.text, answer.headers.get("content-type")], expected[i]);
    assert.equal(stored(sandbox)?.workers.max, 5);
  }
});

test("edge-html is a page without request id and rate headers", async () => {
  for (const status of [403, 429, 502, 524] as const) {
    const answer = await call(withFault({ route: "*", kind: "edge-html", status }), LIST);
    assert.equal(answer.status, status);
    assert.match(answer.text, /^<!DOCTYPE html>/);
    assert.deepEqual([answer.headers.get("x-request-id"), answer.headers.get("ratelimit")], [null, null]);
  }
});

test("rate-limit names the window, and its Retry-After may be odd or missing", async () => {
  const once = async (retryAfter?: string | null) => {
    const extra = retryAfter === undefined ? {} : { retryAfter };
    return await call(withFault({ route: "*", kind: "rate-limit", window: "hour", ...extra }), LIST);
  };
  const plain = await once();
  assert.deepEqual([plain.status, plain.headers.get("retry-after")], [429, "3600"]);
  assert.equal(plain.json.detail, "rate limit exceeded for the hour window");
  assert.match(plain.headers.get("ratelimit") ?? "", /"hour";r=0;t=3600/);
  assert.equal((await once("soon")).headers.get("retry-after"), "soon");
  assert.equal((await once(null)).headers.get("retry-after"), null);
});

test("latency passes on the sandbox's clock", async () => {
  const sandbox = withFault({ route: "*", kind: "latency", ms: 45_000 });
  const before = sandbox.clock.now();
  await call(sandbox, LIST);
  assert.equal(sandbox.clock.now() - before, 45_000);
});

test("hang lasts until the request is aborted, and changes nothing", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "hang" });
  const controller = new AbortController();
  const request = new Request(`${sandbox.origin}/v2/serverless/${QUEUE}`, {
    ...{ method: "PATCH", body: JSON.stringify(MAX_8), signal: controller.signal },
    headers: { authorization: `Bearer ${sandbox.key}` },
  });
  const answer = sandbox.fetch(request);
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assert.rejects(answer, /enough/);
  assert.equal(stored(sandbox)?.workers.max, 5);
  assert.equal(sandbox.requests[0]?.status, null);
});

test("reset breaks the connection before anything happened, lost-reply after it", async () => {
  for (const [kind, max] of [
    ["reset", 5],
    ["lost-reply", 8],
  ] as const) {
    const sandbox = withFault({ route: "patchEndpoint", kind });
    await assert.rejects(patch(sandbox, QUEUE, MAX_8), TypeError);
    assert.equal(stored(sandbox)?.workers.max, max);
    assert.equal(sandbox.requests[0]?.applied, kind === "lost-reply");
  }
});

test("cut-body breaks off in the middle of an answer whose change took place", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "cut-body" });
  await assert.rejects(patch(sandbox, QUEUE, MAX_8), TypeError);
  assert.equal(stored(sandbox)?.workers.max, 8);
  assert.equal(sandbox.requests[0]?.status, 200);
});

test("commit-then-500 changes and says it failed", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "commit-then-500", status: 503 });
  assert.equal((await patch(sandbox, QUEUE, MAX_8)).status, 503);
  assert.equal((await read(sandbox, QUEUE)).workers.max, 8);
});

test("wrong-type gives another content type or other JSON", async () => {
  const plain = await call(withFault({ route: "*", kind: "wrong-type" }), LIST);
  assert.match(plain.headers.get("content-type") ?? "", /^text\/plain/);
  assert.equal(plain.json.endpoints.length, 4);
  const list = await call(withFault({ route: "*", kind: "wrong-type", json: [] }), LIST);
  assert.deepEqual([list.headers.get("content-type"), list.json], ["application/json", []]);
});

test("lying-echo shows the change and changes nothing, no release either", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "lying-echo" });
  const answer = await patch(sandbox, QUEUE, { ...MAX_8, image: "acme/other:2" });
  assert.deepEqual([answer.json.workers.max, answer.json.image], [8, "acme/other:2"]);
  assert.equal((await read(sandbox, QUEUE)).workers.max, 5);
  assert.deepEqual([sandbox.state.releases.get(QUEUE)?.length, sandbox.requests[0]?.applied], [2, false]);
});

test("lying-echo still refuses what is invalid", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "lying-echo" });
  assert.equal((await patch(sandbox, QUEUE, { bogus: 1 })).status, 422);
});

test("other-fields-changed changes the asked and the other, by a body or a function", async () => {
  const sets = [
    { timeout: 1 },
    (endpoint: { timeout: number }) => {
      endpoint.timeout = 1;
    },
  ];
  for (const set of sets) {
    const sandbox = withFault({ route: "patchEndpoint", kind: "other-fields-changed", set });
    await patch(sandbox, QUEUE, MAX_8);
    const { workers, timeout } = await read(sandbox, QUEUE);
    assert.deepEqual([workers.max, timeout], [8, 1]);
  }
});

test("reset-workers resets what the body does not name", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "reset-workers" });
  await patch(sandbox, QUEUE, { name: "x" });
  const { name, workers } = await read(sandbox, QUEUE);
  assert.deepEqual({ name, workers }, { name: "x", workers: { min: 0, max: 3, idleTimeout: 10 } });
  await patch(sandbox, QUEUE, { workers: { max: 7 } });
  assert.deepEqual((await read(sandbox, QUEUE)).workers, { min: 0, max: 7, idleTimeout: 10 });
  await patch(sandbox, BALANCER, { name: "x" });
  assert.deepEqual((await read(sandbox, BALANCER)).scaling, { type: "REQUEST_COUNT", requestCount: 4 });
});

test("drop-exclusions erases the exclusions unless the body sends the pools", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "drop-exclusions" });
  const gpu = { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] };
  await patch(sandbox, PINNED, { gpu });
  assert.deepEqual((await read(sandbox, PINNED)).gpu.excludedTypes, ["NVIDIA L40"]);
  await patch(sandbox, PINNED, { image: "acme/other:2" });
  assert.equal((await read(sandbox, PINNED)).gpu.excludedTypes, undefined);
});

test("partial-apply changes the named fields and shows all", async () => {
  const sandbox = withFault({ route: "patchEndpoint", kind: "partial-apply", only: ["name", "workers.min"] });
  const answer = await patch(sandbox, QUEUE, { name: "x", workers: { min: 1, max: 8 }, timeout: 1 });
  assert.deepEqual([answer.json.name, answer.json.workers.max, answer.json.timeout], ["x", 8, 1]);
  const { name, workers, timeout } = await read(sandbox, QUEUE);
  assert.deepEqual([name, workers.min, workers.max, timeout], ["x", 1, 5, 600_000]);
});

test("a concurrent writer writes before or after, with a release of another user", async () => {
  for (const when of ["before", "after"] as const) {
    const set = { timeout: 1, ...MAX_8 };
    const sandbox = withFault({ route: "patchEndpoint", kind: "concurrent-writer", set, when });
    const answer = await patch(sandbox, QUEUE, { workers: { max: 7 } });
    assert.deepEqual(
      [answer.json.workers.max, answer.json.timeout],
      when === "before" ? [7, 1] : [7, 600_000],
    );
    assert.equal((await read(sandbox, QUEUE)).workers.max, when === "before" ? 7 : 8);
    const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/releases`);
    assert.deepEqual([json.releases[0].createdByUserId, json.releases[0].version], ["user_other", 5]);
  }
});

test("a concurrent writer can come with any request, and leave no release", async () => {
  const set = { timeout: 1 };
  const sandbox = withFault({
    ...{ route: "listEndpoints", kind: "concurrent-writer", set, when: "after" },
    ...{ endpoint: PINNED, times: 1, release: false },
  });
  await call(sandbox, LIST);
  assert.equal((await read(sandbox, PINNED)).timeout, 1);
  assert.equal(sandbox.state.releases.get(PINNED)?.length, 2);
});

test("delayed visibility shows the state before for so many reads, or so long", async () => {
  const byReads = withFault({ route: "patchEndpoint", kind: "delayed-visibility", reads: 2, times: 1 });
  assert.equal((await patch(byReads, QUEUE, MAX_8)).json.workers.max, 8);
  const seen = [];
  for (let i = 0; i < 3; i++) seen.push((await read(byReads, QUEUE)).workers.max);
  assert.deepEqual(seen, [5, 5, 8]);

  const byTime = withFault({ route: "patchEndpoint", kind: "delayed-visibility", ms: 3000, times: 1 });
  await patch(byTime, QUEUE, MAX_8);
  assert.equal((await call(byTime, LIST)).json.endpoints[0].workers.max, 5);
  byTime.clock.advance(3000);
  assert.equal((await read(byTime, QUEUE)).workers.max, 8);
});

test("list-cap and list-order concern lists only", async () => {
  const capped = withFault({ route: "*", kind: "list-cap", limit: 3 });
  assert.equal((await call(capped, LIST)).json.endpoints.length, 3);
  assert.equal((await read(capped, BALANCER)).dataCenterIds.length, 2);
  const turned = withFault({ route: "*", kind: "list-order" });
  assert.equal((await call(turned, LIST)).json.endpoints[0].id, PINNED);
});

test("unknown-field adds fields that nobody knows", async () => {
  const sandbox = withFault({ route: "*", kind: "unknown-field" });
  assert.deepEqual((await read(sandbox, QUEUE)).futureField, { enabled: true });
  const { endpoints } = (await call(sandbox, LIST)).json;
  assert.ok(endpoints.every((row: { futureField?: unknown }) => row.futureField));
  const { gpus } = (await call(sandbox, "GET /v2/catalog/gpus")).json;
  assert.ok(gpus[0].futureField);
});
