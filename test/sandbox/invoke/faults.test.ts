import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Fault, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { call, health, invoke, QUEUE, status, submit } from "../_client.ts";

const BODY = { body: { input: { prompt: "x", sleepMs: 300_000 } } };

function withFault(fault: Fault): Sandbox {
  const sandbox = createSandbox();
  sandbox.faults.add(fault);
  return sandbox;
}

const jobs = (sandbox: Sandbox) => sandbox.state.fleets.get(QUEUE)?.jobs.size ?? 0;

test("errors of faults are plain JSON here", async () => {
  const sandbox = withFault({ route: "jobStatus", kind: "status", status: 500 });
  const answer = await invoke(sandbox, "GET status/j");
  assert.deepEqual([answer.status, Object.keys(answer.json)], [500, ["error"]]);
  assert.equal(answer.headers.get("content-type"), "application/json");
});

test("a 200 with an error alone is no job", async () => {
  const sandbox = withFault({ route: "runJob", kind: "status", status: 200, body: { error: "try again" } });
  const answer = await invoke(sandbox, "POST run", BODY);
  assert.deepEqual([answer.status, answer.json, jobs(sandbox)], [200, { error: "try again" }, 0]);
});

test("answer-says takes fields away: a submit without an id, a status without one, an id without a status", async () => {
  const noId = withFault({ route: "runJob", kind: "answer-says", fields: { id: undefined } });
  assert.deepEqual((await invoke(noId, "POST run", BODY)).json, { status: "IN_QUEUE" });
  assert.equal(jobs(noId), 1, "the job is there");
  const sandbox = createSandbox();
  const job = await submit(sandbox);
  const active = sandbox.faults.add({ route: "jobStatus", kind: "answer-says", fields: { id: undefined } });
  assert.deepEqual(await status(sandbox, job), { status: "IN_QUEUE" });
  active.remove();
  sandbox.faults.add({ route: "jobStatus", kind: "answer-says", fields: { status: undefined } });
  assert.deepEqual(await status(sandbox, job), { id: job });
});

test("answer-says makes health and the worker list disagree", async () => {
  const fields = { workers: { idle: 1, ready: 1 } };
  const sandbox = withFault({ route: "endpointHealth", kind: "answer-says", fields });
  const { workers, jobs: counts } = await health(sandbox);
  assert.deepEqual([workers.idle, workers.running, counts.inQueue], [1, 0, 0]);
  const { json } = await call(sandbox, `GET /v2/serverless/${QUEUE}/workers`);
  assert.equal(json.summary.idle, 0);
});

test("answer-says can name a state that nobody knows", async () => {
  const sandbox = withFault({
    route: "jobStatus",
    kind: "answer-says",
    fields: { status: "PAUSED" },
    times: 1,
  });
  const job = await submit(sandbox);
  assert.deepEqual(
    [(await status(sandbox, job)).status, (await status(sandbox, job)).status],
    ["PAUSED", "IN_QUEUE"],
  );
});

test("a submit whose answer is lost has made a job; one that is reset has not", async () => {
  for (const [kind, expected] of [
    ["lost-reply", 1],
    ["cut-body", 1],
    ["reset", 0],
  ] as const) {
    const sandbox = withFault({ route: "runJob", kind });
    await assert.rejects(invoke(sandbox, "POST run", BODY), TypeError);
    assert.deepEqual([jobs(sandbox), sandbox.requests[0]?.applied], [expected, expected === 1]);
  }
});

test("hang lasts until the client gives up", async () => {
  const sandbox = withFault({ route: "jobStatus", kind: "hang" });
  const controller = new AbortController();
  const request = new Request(`${sandbox.origin}/invoke/v2/${QUEUE}/status/j`, {
    headers: { authorization: `Bearer ${sandbox.key}` },
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assert.rejects(sandbox.fetch(request), /enough/);
});

test("429 always: with the Retry-After that is asked for, or none", async () => {
  for (const retryAfter of [undefined, null, "2", "soon"]) {
    const extra = retryAfter === undefined ? {} : { retryAfter };
    const sandbox = withFault({ route: "*", kind: "rate-limit", window: "minute", ...extra });
    const answer = await invoke(sandbox, "POST run", BODY);
    assert.deepEqual([answer.status, answer.json], [429, { error: "too many requests" }]);
    assert.deepEqual(
      [answer.headers.get("retry-after"), answer.headers.get("ratelimit")],
      [retryAfter ?? null, null],
    );
    assert.equal(jobs(sandbox), 0);
  }
});

test("the edge answers HTML: at once without effect, or when it gives up a hold that goes on", async () => {
  const html = await invoke(withFault({ route: "*", kind: "edge-html", status: 524 }), "POST run", BODY);
  assert.deepEqual([html.status, html.text.slice(0, 15)], [524, "<!DOCTYPE html>"]);
  const sandbox = withFault({ route: "*", kind: "edge-timeout", afterMs: 100_000 });
  const start = sandbox.clock.now();
  const cut = await invoke(sandbox, "POST runsync?wait=300000", BODY);
  assert.deepEqual([cut.status, sandbox.clock.now() - start, jobs(sandbox)], [524, 100_000, 1]);
  assert.match(cut.headers.get("content-type") ?? "", /^text\/html/);
});

test("edge-timeout leaves holds that end in time, and answers that hold nothing, alone", async () => {
  const sandbox = withFault({ route: "*", kind: "edge-timeout", afterMs: 20_000 });
  const job = await submit(sandbox, { prompt: "x" });
  assert.equal((await invoke(sandbox, `GET status-sync/${job}`)).json.status, "COMPLETED");
  assert.equal((await invoke(sandbox, `GET status-sync/${job}`)).status, 200);
  const long = await submit(sandbox, { prompt: "x", sleepMs: 90_000 });
  assert.equal((await invoke(sandbox, `GET status-sync/${long}`)).status, 524);
  assert.equal((await status(sandbox, long)).status, "IN_PROGRESS");
});
