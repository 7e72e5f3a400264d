import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Sandbox, serve } from "../../../lib/sandbox/mod.ts";
import { call, patch, QUEUE, submit, workers } from "../_client.ts";

const START = "2026-11-30T12:00:00Z";

interface Frame {
  readonly id: string;
  readonly source: string;
  readonly line: string;
  readonly ts: string;
}

async function withWorker(
  input: unknown = { prompt: "x", sleepMs: 100_000 },
): Promise<{ sandbox: Sandbox; worker: string }> {
  const sandbox = createSandbox();
  await submit(sandbox, input);
  const { workers: list } = await workers(sandbox);
  sandbox.clock.advance(20_000);
  return { sandbox, worker: list[0].id };
}

function open(
  sandbox: Sandbox,
  worker: string,
  options: { query?: string; cursor?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const { query = "", cursor, signal } = options;
  return sandbox.fetch(
    new Request(`${sandbox.origin}/v2/serverless/${QUEUE}/workers/${worker}/logs${query}`, {
      headers: {
        authorization: `Bearer ${sandbox.key}`,
        ...(cursor === undefined ? {} : { "last-event-id": cursor }),
      },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

/** Reads so many frames, and leaves. */
async function frames(response: Response, count: number): Promise<readonly Frame[]> {
  const seen: Frame[] = [];
  const reader = response.body?.getReader();
  while (reader && seen.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    const text = new TextDecoder().decode(value);
    assert.match(text, /^id: \S+\ndata: \{.*\}\n\n$/);
    const [id = "", data = ""] = text.trimEnd().split("\n");
    seen.push({ id: id.slice(4), ...JSON.parse(data.slice(6)) });
  }
  await reader?.cancel();
  return seen;
}

test("the log has what the platform and the container said, in frames whose id is the time", async () => {
  const { sandbox, worker } = await withWorker();
  const response = await open(sandbox, worker);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("x-accel-buffering"), "no");
  const seen = await frames(response, 16);
  assert.deepEqual(
    [seen[0]?.line, seen[1]?.line, seen[2]?.line],
    [
      "create container acme/sdxl-worker:1.4.2",
      "start container for acme/sdxl-worker:1.4.2: begin",
      "--- Starting Serverless Worker |  Version 1.11.0 ---",
    ],
  );
  assert.ok(
    seen.some(
      ({ line }) =>
        line === '{"requestId": null, "message": "Running 7 fitness check(s)...", "level": "INFO"}',
    ),
  );
  assert.match(seen[15]?.line ?? "", /"requestId": "[0-9a-f-]+-u1", "message": "Started\."/);
  for (const { id, ts, source } of seen) {
    assert.equal(id, ts);
    assert.match(ts, source === "system" ? /:\d\dZ$/ : /\.\d{9}Z$/);
  }
});

test("a new image is pulled, layer by layer", async () => {
  const sandbox = createSandbox();
  await patch(sandbox, QUEUE, { image: "acme/other:2", workers: { min: 1 } });
  sandbox.clock.advance(60_000);
  const [worker] = (await workers(sandbox)).workers;
  const lines = (await frames(await open(sandbox, worker.id, { query: "?source=system" }), 17)).map(
    ({ line }) => line,
  );
  assert.deepEqual(
    [lines[1], lines[3], lines[14]],
    [
      "2 Pulling from acme/other",
      "7cf63256a31a Downloading",
      "Digest: sha256:9a1f6c0b7e2d45f8a3c1d0e9b8f7a6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9",
    ],
  );
  assert.deepEqual(lines.slice(15), [
    "Status: Downloaded newer image for acme/other:2",
    "start container for acme/other:2: begin",
  ]);
});

test("source and tail choose lines", async () => {
  const { sandbox, worker } = await withWorker();
  const system = await frames(await open(sandbox, worker, { query: "?source=system" }), 3);
  assert.deepEqual(
    system.map(({ source }) => source),
    ["system", "system", "system"],
  );
  const [last] = await frames(await open(sandbox, worker, { query: "?tail=1" }), 1);
  assert.match(last?.line ?? "", /Started/);
  assert.match(last?.source ?? "", /container/);
});

test("since and the cursor replay from their time, the cursor without it, and beat the tail", async () => {
  const { sandbox, worker } = await withWorker();
  const all = await frames(await open(sandbox, worker), 16);
  const third = all[2];
  assert.ok(third);
  const since = await frames(await open(sandbox, worker, { query: `?since=${third.ts}&tail=1` }), 1);
  assert.deepEqual(since[0], third);
  const later = await frames(await open(sandbox, worker, { query: "?tail=1", cursor: third.ts }), 1);
  assert.deepEqual(later[0], all[3]);
  const both = await open(sandbox, worker, { query: `?since=${START}`, cursor: all[14]?.ts ?? "" });
  assert.deepEqual((await frames(both, 1))[0], all[15]);
});

test("lines that share a second with the cursor are dropped: resuming is exclusive", async () => {
  const { sandbox, worker } = await withWorker();
  const [first] = await frames(await open(sandbox, worker, { query: "?source=system", cursor: START }), 1);
  assert.equal(first?.line, "worker is ready");
});

test("headers are withheld until there is a line", async () => {
  const { sandbox, worker } = await withWorker();
  let answered = false;
  const opening = open(sandbox, worker, { query: "?tail=0" });
  void opening.then(() => {
    answered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(answered, false);
  sandbox.clock.advance(100_000);
  const [first] = await frames(await opening, 1);
  assert.match(first?.line ?? "", /Finished/);
});

test("a stream that follows goes on until its client leaves", async () => {
  const { sandbox, worker } = await withWorker();
  const response = await open(sandbox, worker, { query: "?tail=1" });
  setTimeout(() => sandbox.clock.advance(100_000), 5);
  const seen = await frames(response, 2);
  assert.match(seen[1]?.line ?? "", /Finished/);
});

test("container lines go with the container, the system's stay; a foreign worker is 404", async () => {
  const { sandbox, worker } = await withWorker({ prompt: "x" });
  sandbox.clock.advance(60_000);
  assert.equal((await workers(sandbox)).summary.total, 0);
  const system = await frames(await open(sandbox, worker), 5);
  assert.deepEqual(
    system.map(({ line }) => line.split(" ").slice(0, 2).join(" ")),
    ["create container", "start container", "worker is", "stop container", "remove container"],
  );
  const controller = new AbortController();
  const quiet = open(sandbox, worker, { query: "?source=container", signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assert.rejects(quiet, /enough/);
  assert.equal((await call(sandbox, `GET /v2/serverless/${QUEUE}/workers/nobody/logs`)).status, 404);
});

test("a served stream stays open while it is quiet, and closing the sandbox ends it", async () => {
  const { sandbox, worker } = await withWorker();
  const { url, close } = await serve(sandbox);
  try {
    const headers = { authorization: `Bearer ${sandbox.key}` };
    const response = await fetch(`${url}/v2/serverless/${QUEUE}/workers/${worker}/logs?tail=1`, { headers });
    const reader = response.body?.getReader();
    assert.ok(reader);
    assert.match(new TextDecoder().decode((await reader.read()).value), /Started/);
    const next = reader.read();
    setTimeout(() => sandbox.clock.advance(100_000), 20);
    assert.match(new TextDecoder().decode((await next).value), /Finished/);
    const ended = toTheEnd(reader);
    await close();
    await ended;
  } finally {
    await close().catch(() => {});
  }
});

/** A connection that breaks is an end, too. */
async function toTheEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {}
}
