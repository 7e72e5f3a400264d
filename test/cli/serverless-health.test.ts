import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BAD_GATEWAY, endpointText, inTurn, NOT_FOUND, type Service, service } from "./_service.ts";
import { call, errorOf } from "./_spawn.ts";

/** White space, a number beyond 2^53, two keys of one name, `__proto__`, no line break at the end. */
const BODY =
  '{ "jobs" : {"inQueue":3, "inQueue":4 ,"completed":18446744073709551615},\r\n"workers":{}, "__proto__":{"a":1.0}}';

describe("serverless health", () => {
  let at: Service;
  const health = (...args: readonly string[]) => call(["serverless", "health", ...args], { env: at.env });
  before(async () => {
    at = await service(
      {
        "GET /ep_a/health": BODY,
        "GET /ep_html/health": { status: 200, body: "<html>", headers: { "content-type": "text/html" } },
        "GET /ep_new/health": NOT_FOUND,
        "GET /ep_lb/health": '{"jobs":{},"workers":{"ready":1}}',
        "GET /ep_off/health": '{"jobs":{},"workers":{}}',
        "GET /ep_slow/health": null,
        "GET /ep_limit/health": inTurn(
          { status: 429, body: "{}", headers: { "retry-after": "1" } },
          '{"jobs":{},"workers":{}}',
        ),
      },
      {
        "GET /v2/serverless/ep_html": endpointText({ id: "ep_html" }),
        "GET /v2/serverless/ep_new": endpointText({ id: "ep_new" }),
        "GET /v2/serverless/ep_limit": endpointText({ id: "ep_limit" }),
        "GET /v2/serverless/ep_slow": endpointText({ id: "ep_slow" }),
        "GET /v2/serverless/ep_lb": endpointText({ id: "ep_lb", type: "LOAD_BALANCER" }),
        "GET /v2/serverless/ep_off": { status: 403, body: '{"detail":"access denied"}' },
        "GET /v2/serverless/ep_mute": null,
        "GET /v2/serverless/ep_hedge": inTurn(null, endpointText({ id: "ep_a" })),
        "GET /ep_hedge/health": inTurn(null, "{}"),
      },
    );
  });
  after(() => at.close());

  test("passes the body through byte for byte, by id and by name", async () => {
    for (const word of ["ep_a", "img"])
      assert.deepEqual(await health(word), { status: 0, stdout: BODY, stderr: "" });
  });

  test("writes YAML with -o yaml, numbers as they came", async () => {
    const called = await health("ep_a", "-o", "yaml");
    assert.equal(called.status, 0, called.stderr);
    assert.match(
      called.stdout,
      /^jobs:\n {2}inQueue: 3\n {2}inQueue: 4\n {2}completed: 18446744073709551615\n/,
    );
  });

  test("answers for a load balancer endpoint too", async () => {
    assert.equal((await health("ep_lb")).stdout, '{"jobs":{},"workers":{"ready":1}}');
  });

  test("a 200 that is no JSON is api_error, and its page is not passed on", async () => {
    const called = await health("ep_html");
    assert.equal(called.status, 1);
    assert.equal(called.stdout, "");
    assert.equal(errorOf(called)["code"], "api_error");
    assert.match(String(errorOf(called)["error"]), /an HTML page \(6 characters\) instead of JSON/);
  });

  test("health never decides whether an endpoint exists: a 404 of it says so, and where to look", async () => {
    const error = errorOf(await health("ep_new"));
    assert.equal(error["code"], "not_found");
    assert.match(String(error["error"]), /health does not decide whether an endpoint exists/);
    assert.equal(error["followUp"], "readback serverless get ep_new");
  });

  test("the control plane alone decides that there is no such endpoint", async () => {
    const from = at.invoked().length;
    const called = await health("no-such");
    assert.match(String(errorOf(called)["error"]), /no endpoint "no-such" by id or by name/);
    assert.deepEqual(at.invoked().slice(from), []);
  });

  test("a key that the control plane refuses can still read health by id, and is told", async () => {
    const called = await health("ep_off");
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stderr, /^taking "ep_off" for an endpoint's id/);
  });

  test("a hung health call ends at its own deadline, not sooner, after one request", async () => {
    const from = at.invoked().length;
    const startedMs = Date.now();
    const called = await health("ep_slow", "--timeout", "1500ms");
    const tookMs = Date.now() - startedMs;
    assert.equal(errorOf(called)["code"], "call_timeout");
    assert.equal(errorOf(called)["retryable"], true);
    assert.ok(tookMs >= 1500 && tookMs < 4000, `${tookMs} ms`);
    assert.equal(at.invoked().length - from, 1);
  });

  test("a service that hangs on everything ends it at that deadline too", async () => {
    const startedMs = Date.now();
    assert.equal(errorOf(await health("ep_mute", "--timeout", "1200ms"))["code"], "call_timeout");
    assert.ok(Date.now() - startedMs < 3700);
  });

  test("a deadline under a second is tried again: the first hangs, the second answers", async () => {
    const called = await health("ep_hedge", "--timeout", "400ms");
    assert.equal(called.status, 0, called.stderr);
  });

  test("a 429 is tried again, not before its Retry-After", async () => {
    assert.equal((await health("ep_limit")).status, 0);
    const [first, second] = at.arrivals.filter(({ path }) => path === "/ep_limit/health");
    assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 990);
  });

  test("does not read stdin", async () => {
    const called = await call(["serverless", "health", "ep_a"], { env: at.env, stdin: "open" });
    assert.equal(called.status, 0);
  });
});

test("serverless health survives a 502 of the edge", async () => {
  const at = await service({ "GET /ep_a/health": inTurn(BAD_GATEWAY, "{}") });
  try {
    assert.equal((await call(["sls", "health", "ep_a"], { env: at.env })).stdout, "{}");
  } finally {
    await at.close();
  }
});
