import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BAD_GATEWAY, endpointText, inTurn, job, NOT_FOUND, type Service, service } from "./_service.ts";
import { call, ended, errorOf, sendSignal, start } from "./_spawn.ts";

/** Tokens that JavaScript would write otherwise, and keys that a client could take for its own. */
const PAYLOAD =
  '{"id":"big","status":"COMPLETED","output":{"row":9007199254740993,"f":1.0,"gpuTypeId":"x","2":"b","1":"a"}}';
const RAISED = JSON.stringify({
  error: '{"error_type":"<class \'ValueError\'>","error_message":"bad prompt"}',
  id: "raised",
  status: "FAILED",
});

describe("serverless status", () => {
  let at: Service;
  const status = (...args: readonly string[]) => call(["serverless", "status", ...args], { env: at.env });
  before(async () => {
    at = await service(
      {
        "GET /ep_a/status/big": PAYLOAD,
        "GET /ep_a/status/queued": job("IN_QUEUE"),
        "GET /ep_a/status/running": job("IN_PROGRESS"),
        "GET /ep_a/status/raised": RAISED,
        "GET /ep_a/status/cancelled": job("CANCELLED"),
        "GET /ep_a/status/late": job("timed_out"),
        "GET /ep_a/status/stumble": inTurn(BAD_GATEWAY, job("COMPLETED", { output: 1 })),
        "GET /ep_a/status/bare": '{"error":"try later"}',
        "GET /ep_a/status/locked": { status: 401, body: '{"error":"unauthorized"}' },
        "GET /ep_a/status/gone": inTurn(job("IN_PROGRESS"), NOT_FOUND),
        "GET /ep_a/status/ends": inTurn(
          job("IN_PROGRESS"),
          '{"status":"IN_PROGRESS"}',
          job("COMPLETED", { output: 1 }),
        ),
        "GET /ep_a/status/slow": inTurn(BAD_GATEWAY, BAD_GATEWAY, job("COMPLETED", { output: 1 })),
        "GET /ep_a/status/SIGINT": job("IN_PROGRESS"),
        "GET /ep_a/status/SIGTERM": job("IN_PROGRESS"),
        "GET /ep_a/status/silent": null,
        "GET /ep_a/status/never": job("IN_PROGRESS", { delayTime: 12 }),
        "GET /ep_off/status/j1": job("IN_PROGRESS"),
      },
      {
        "GET /v2/serverless/ep_lb": endpointText({
          id: "ep_lb",
          type: "LOAD_BALANCER",
          requestUrls: { base: "https://ep_lb.api.runpod.ai" },
        }),
        "GET /v2/serverless/ep_off": BAD_GATEWAY,
        "GET /v2/serverless/ep_mute": null,
      },
    );
  });
  after(() => at.close());

  test("prints the payload byte for byte, numbers beyond 2^53 included", async () => {
    assert.deepEqual(await status("ep_a", "big"), { status: 0, stdout: PAYLOAD, stderr: "" });
  });

  test("writes YAML with its numbers and its order of keys", async () => {
    const { stdout } = await status("img", "big", "-o", "yaml");
    assert.equal(
      stdout,
      'id: "big"\nstatus: "COMPLETED"\noutput:\n  row: 9007199254740993\n  f: 1.0\n  gpuTypeId: "x"\n  "2": "b"\n  "1": "a"\n',
    );
  });

  test("does not wait unless asked: one request, exit 0 for a queued and for a running job", async () => {
    for (const name of ["queued", "running"]) {
      const from = at.invoked().length;
      const called = await status("ep_a", name);
      assert.equal(called.status, 0);
      assert.equal(called.stderr, "");
      assert.equal(at.invoked().length - from, 1);
    }
    assert.equal((await status("ep_a", "queued", "--wait", "0")).status, 0);
  });

  test("any end but COMPLETED is job_failed, exit 1, compared without case, with the payload on stdout", async () => {
    for (const name of ["raised", "cancelled", "late"]) {
      const called = await status("ep_a", name);
      assert.equal(called.status, 1);
      assert.equal(errorOf(called)["code"], "job_failed");
      assert.notEqual(called.stdout, "");
    }
  });

  test("a FAILED job's own words are in the error, and its payload is whole on stdout", async () => {
    const called = await status("ep_a", "raised", "--wait", "5s");
    assert.equal(called.stdout, RAISED);
    assert.match(String(errorOf(called)["error"]), /ended as FAILED: bad prompt$/);
    assert.deepEqual(errorOf(called)["details"], { jobId: "raised", endpoint: "ep_a", status: "FAILED" });
  });

  test("one 502 does not strand a job, with and without --wait", async () => {
    assert.equal((await status("ep_a", "stumble")).status, 0);
    assert.equal((await status("ep_a", "slow", "--wait", "20s")).status, 0);
  });

  test("a 404 explains its three causes, and waits no longer", async () => {
    const called = await status("ep_a", "nobody", "--wait", "30s");
    assert.equal(called.status, 1);
    assert.equal(errorOf(called)["code"], "not_found");
    assert.match(
      String(errorOf(called)["error"]),
      /the id or the endpoint is wrong, or its result has expired.*or its TTL has passed/,
    );
    assert.match(String(errorOf(await status("ep_a", "nobody"))["error"]), /result has expired/);
  });

  test("a job that was seen and then is gone has its TTL or retention behind it, and its last payload on stdout", async () => {
    const called = await status("ep_a", "gone", "--wait", "30s");
    assert.match(String(errorOf(called)["error"]), /was seen IN_PROGRESS and is gone now/);
    assert.equal(called.stdout, job("IN_PROGRESS"));
  });

  test("a 401 ends a wait at once", async () => {
    const from = at.invoked().length;
    assert.equal(
      errorOf(await status("ep_a", "locked", "--wait", "30s", "--no-hold"))["code"],
      "unauthorized",
    );
    assert.equal(at.invoked().length - from, 1);
  });

  test("a 200 with neither id nor status is api_error, with the payload on stdout", async () => {
    const called = await status("ep_a", "bare");
    assert.equal(called.status, 1);
    assert.equal(called.stdout, '{"error":"try later"}');
    assert.equal(errorOf(called)["code"], "api_error");
  });

  test("the job id survives a poll response that drops it", async () => {
    const from = at.invoked().length;
    assert.equal((await status("ep_a", "ends", "--wait", "20s", "--no-hold")).status, 0);
    assert.deepEqual([...new Set(at.invoked().slice(from))], ["GET /ep_a/status/ends"]);
  });

  test("a wait whose budget is spent is wait_timeout: last payload on stdout, the same command next", async () => {
    const startedMs = Date.now();
    const called = await status("ep_a", "never", "--wait", "1200ms");
    assert.ok(Date.now() - startedMs < 3000);
    assert.equal(called.status, 1);
    assert.equal(called.stdout, job("IN_PROGRESS", { delayTime: 12 }));
    const error = errorOf(called);
    assert.equal(error["code"], "wait_timeout");
    assert.equal(error["retryable"], false);
    assert.equal(error["followUp"], "readback serverless status ep_a never");
    assert.match(String(error["error"]), /after 1\.2s, last seen IN_PROGRESS/);
  });

  test("no message rounds a budget to 0s", async () => {
    const called = await status("ep_a", "never", "--wait", "100ms");
    assert.match(String(errorOf(called)["error"]), /after 100ms/);
    assert.doesNotMatch(called.stderr, /\b0s\b/);
  });

  test("--wait 3s against a service that hangs on status returns within 4.5 s, as wait_timeout", async () => {
    const startedMs = Date.now();
    const called = await status("ep_a", "silent", "--wait", "3s");
    assert.ok(Date.now() - startedMs < 4500, `${Date.now() - startedMs} ms`);
    assert.equal(errorOf(called)["code"], "wait_timeout");
    assert.match(called.stderr, /^the last read failed: /m);
  });

  test("--wait 3s against a service that hangs on everything does so too", async () => {
    const startedMs = Date.now();
    const called = await status("ep_mute", "j1", "--wait", "3s");
    assert.ok(Date.now() - startedMs < 4500, `${Date.now() - startedMs} ms`);
    assert.equal(errorOf(called)["code"], "wait_timeout");
    assert.equal(errorOf(called)["followUp"], "readback serverless status ep_mute j1");
  });

  test("goes on with what was given for an id where the control plane is out of order", async () => {
    const called = await status("ep_off", "j1");
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stderr, /taking "ep_off" for an endpoint's id/);
  });

  test("a load balancer endpoint has no queue: usage_error, with where to call", async () => {
    const called = await status("ep_lb", "j1");
    assert.equal(called.status, 2);
    assert.match(String(errorOf(called)["error"]), /no queue; call https:\/\/ep_lb\.api\.runpod\.ai\/<path>/);
  });

  test("a duration needs its unit", async () => {
    const called = await status("ep_a", "big", "--wait", "29");
    assert.equal(called.status, 2);
    assert.match(String(errorOf(called)["error"]), /--wait "29".*the unit is missing/);
  });

  for (const [signal, exit] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    test(`${signal} during a wait: the job runs on, its id and the follow-up are printed, exit ${exit}`, async () => {
      const child = start(["serverless", "status", "ep_a", signal, "--wait", "1m"], { env: at.env });
      const done = ended(child);
      await at.seen(`GET /ep_a/status/${signal}`);
      sendSignal(child, signal);
      const called = await done;
      assert.equal(called.status, exit, called.stderr);
      assert.equal(errorOf(called)["code"], "interrupted");
      assert.equal(errorOf(called)["followUp"], `readback serverless status ep_a ${signal}`);
      assert.deepEqual(at.changes(), []);
    });
});
