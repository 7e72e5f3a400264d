import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ClientOptions, createChangeClient, createLookClient } from "../../lib/api/client.ts";
import { preparePatch, readEndpoint } from "../../lib/api/control.ts";
import { createGate } from "../../lib/api/gate.ts";
import { isReadbackError, ReadbackError } from "../../lib/errors.ts";
import type { Target } from "../../lib/target.ts";
import { testClock } from "./_clock.ts";
import { type Arrival, closedPort, type RawHandler, rawServer, reply } from "./_raw-server.ts";
import { KEY, targetAt } from "./_target.ts";

type Answer = (socket: Parameters<RawHandler>[1], arrival: Arrival) => void;

const ok: Answer = (socket) => reply(socket, 200, '{"id":"ep1"}');
const status =
  (code: number, headers: Record<string, string> = {}, body = "{}"): Answer =>
  (socket) =>
    reply(socket, code, body, headers);
const reset: Answer = (socket) => socket.resetAndDestroy();
const silent: Answer = () => {};

describe("look()", () => {
  test("sends the key, the agent and what it accepts, and nothing in the address", async () => {
    const { arrivals } = await looking([ok]);
    const [arrival] = arrivals;
    assert.equal(arrival?.path, "/v2/serverless/ep1");
    assert.equal(arrival?.headers["authorization"], `Bearer ${KEY}`);
    assert.equal(arrival?.headers["accept"], "application/json");
    assert.match(arrival?.headers["user-agent"] ?? "", /^readback\/\d/);
  });

  test("uses the read-only key where there is one", async () => {
    const { arrivals } = await looking([ok], { target: { readKey: "rpa_READONLY" } });
    assert.equal(arrivals[0]?.headers["authorization"], "Bearer rpa_READONLY");
  });

  for (const [name, first] of [
    ["a reset", reset],
    ["408", status(408)],
    ["429", status(429)],
    ["500", status(500)],
    ["503", status(503)],
  ] as const) {
    test(`tries again after ${name}`, async () => {
      const { arrivals, text, reads, sleeps } = await looking([first, ok]);
      assert.deepEqual([arrivals.length, text, reads, sleeps], [2, '{"id":"ep1"}', 2, [500]]);
    });
  }

  test("tries again after a request that hangs, with a new deadline", async () => {
    const { arrivals, text } = await looking([silent, ok], { target: { timeoutMs: 60 } });
    assert.deepEqual([arrivals.length, text], [2, '{"id":"ep1"}']);
  });

  test("gives up after four attempts with growing waits", async () => {
    const { arrivals, error, sleeps } = await looking([status(502)]);
    assert.deepEqual([arrivals.length, sleeps, error?.code], [4, [500, 1000, 2000], "server_error"]);
    assert.equal(error?.retryable, true);
  });

  test("halves the waits at random", async () => {
    const { sleeps } = await looking([status(502)], { client: { random: () => 0 } });
    assert.deepEqual(sleeps, [250, 500, 1000]);
  });

  test("says which deadline ran out", async () => {
    const { error } = await looking([silent], { target: { timeoutMs: 20 } });
    assert.equal(error?.code, "call_timeout");
    assert.match(error?.message ?? "", /^Cannot read endpoint "ep1": .*no complete reply within 20 ms$/);
  });

  test("covers the body with the deadline", async () => {
    const stall: Answer = (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{");
    const { error, arrivals } = await looking([stall], { target: { timeoutMs: 20 } });
    assert.deepEqual([error?.code, arrivals.length], ["call_timeout", 4]);
  });

  test("does not repeat what was refused for good", async () => {
    for (const [code, expected] of [
      [400, "bad_request"],
      [401, "unauthorized"],
      [403, "forbidden"],
      [404, "not_found"],
      [405, "api_error"],
      [409, "conflict"],
      [422, "unprocessable"],
    ] as const) {
      const { arrivals, error } = await looking([status(code)]);
      assert.deepEqual(
        [arrivals.length, error?.code, error?.status, error?.retryable],
        [1, expected, code, false],
      );
    }
  });

  test("gives the service's reason and its list of errors", async () => {
    const body = JSON.stringify({
      title: "x",
      status: 422,
      detail: "Validation failed.",
      errors: ["$: bogus"],
    });
    const { error } = await looking([status(422, {}, body)]);
    assert.equal(error?.message, 'Cannot read endpoint "ep1": Validation failed. · $: bogus (HTTP 422)');
    assert.deepEqual(error?.details, { errors: ["$: bogus"] });
  });

  test("reads all spellings of an error body", async () => {
    for (const body of [
      '{"error":"why","detail":"no"}',
      '{"error":{"message":"why"}}',
      '{"message":"why"}',
      '{"detail":"why"}',
    ]) {
      const { error } = await looking([status(404, {}, body)]);
      assert.equal(error?.message, 'Cannot read endpoint "ep1": why (HTTP 404)');
    }
  });

  test("names an HTML page and an empty body and never shows them", async () => {
    const page = await looking([
      status(403, { "content-type": "text/html; charset=utf-8" }, "<html>secret</html>"),
    ]);
    assert.match(
      page.error?.message ?? "",
      /answered with an HTML page \(19 characters\) instead of a reason \(HTTP 403\)$/,
    );
    const empty = await looking([status(404, {}, "")]);
    assert.match(empty.error?.message ?? "", /answered with an empty body/);
  });

  test("does not follow a redirect, and names where it points to", async () => {
    for (const location of ["https://evil.example/x", "/v2/serverless/ep1/"]) {
      const { error, arrivals } = await looking([status(302, { location })]);
      assert.deepEqual([error?.code, arrivals.length], ["api_error", 1]);
      assert.match(
        error?.message ?? "",
        location.startsWith("/") ? /redirects to 127\.0\.0\.1:\d+;/ : /redirects to evil\.example;/,
      );
    }
  });

  test("says at once that nothing listens, and that it may be tried again", async () => {
    const { error, sleeps } = await calling(`http://127.0.0.1:${await closedPort()}`, {});
    assert.deepEqual([error?.code, error?.retryable, sleeps.length], ["network_error", true, 3]);
    assert.match(error?.message ?? "", /connection refused$/);
  });

  test("ends at once when its signal is aborted, and the reason counts", async () => {
    const stop = new AbortController();
    const { error, arrivals } = await looking([() => stop.abort()], { client: { signal: stop.signal } });
    assert.deepEqual([error?.code, arrivals.length], ["interrupted", 1]);
    const { arrivals: none } = await looking([ok], { client: { signal: stop.signal } });
    assert.equal(none.length, 0);
  });

  test("ends with the reason of its signal where that is an error of ours", async () => {
    const stop = new AbortController();
    const reason = new ReadbackError("wait_timeout", "gave up");
    const { error } = await looking([() => stop.abort(reason)], { client: { signal: stop.signal } });
    assert.equal(error, reason);
  });

  test("refuses what is not in the route table, before anything is sent", async () => {
    const server = await rawServer((_arrival, socket) => ok(socket, _arrival));
    const client = createLookClient(targetAt(server.url));
    for (const path of [
      "/v2/pods",
      "/v2/serverless/",
      "/v2/serverless/..",
      "/v2/serverless/%2e%2e",
      "/v2/serverless/a/b",
      "/graphql",
    ]) {
      await assert.rejects(client.look(path), (error) => isReadbackError(error, "undeclared_mutation"), path);
    }
    await assert.rejects(
      client.look("/v2/serverless", { query: { evil: "1" } }),
      /Refused before anything was sent/,
    );
    await server.close();
    assert.equal(server.arrivals.length, 0);
  });
});

describe("the rate limit", () => {
  const exhausted = { "retry-after": "12", ratelimit: '"minute";r=0;t=12, "hour";r=2800;t=1812' };

  test("is waited for as long as it asks", async () => {
    const { sleeps, notes, text } = await looking([status(429, exhausted), ok]);
    assert.deepEqual([sleeps, text], [[12_000], '{"id":"ep1"}']);
    assert.match(notes[0] ?? "", /^waiting 12 s for the minute window/);
  });

  test("is not waited for when a longer window is out: the error names it and its time", async () => {
    const ratelimit = '"minute";r=0;t=12, "hour";r=0;t=1812, "day";r=49500;t=45012';
    const { error, sleeps, arrivals } = await looking([status(429, { "retry-after": "12", ratelimit })]);
    assert.deepEqual([error?.code, sleeps, arrivals.length], ["rate_limited", [], 1]);
    assert.equal(error?.details["retryAfterSeconds"], 1812);
    assert.match(
      error?.message ?? "",
      /the hour window of the rate limit is used up: it asks to wait 1812 s/,
    );
  });

  test("bounds the waits of one call together", async () => {
    const { error, sleeps } = await looking([status(429, { "retry-after": "25" })]);
    assert.deepEqual([error?.code, sleeps], ["rate_limited", [25_000, 25_000]]);
  });

  test("paces the next request by what the last success said", async () => {
    const last = status(200, { ratelimit: '"minute";r=0;t=7, "hour";r=9;t=99' });
    const { sleeps, notes } = await looking([last, ok], { calls: 2 });
    assert.deepEqual(sleeps, [7_000]);
    assert.match(
      notes[0] ?? "",
      /^waiting 7 s for the minute window of the rate limit before: read endpoint/,
    );
  });

  test("counts its own requests against what is left", async () => {
    const server = await rawServer((_arrival, socket) =>
      reply(socket, 200, "{}", { ratelimit: '"minute";r=2;t=7' }),
    );
    const clock = testClock();
    const client = createLookClient(targetAt(server.url), { clock });
    await readEndpoint(client, "ep1");
    await Promise.all([1, 2, 3].map(() => readEndpoint(client, "ep1")));
    await server.close();
    assert.deepEqual(clock.sleeps, [7_000]);
  });

  test("fails without a request when pacing would take too long", async () => {
    const last = status(200, { ratelimit: '"hour";r=0;t=1800' });
    const { error, arrivals } = await looking([last, ok], { calls: 2 });
    assert.deepEqual([error?.code, error?.status, arrivals.length], ["rate_limited", null, 1]);
  });
});

describe("change()", () => {
  test("sends the prepared bytes once and gives the reply", async () => {
    const { arrivals, text } = await changing([ok]);
    assert.deepEqual(
      arrivals.map(({ method, path, body }) => [method, path, body]),
      [["PATCH", "/v2/serverless/ep1", '{"workers":{"max":3}}']],
    );
    assert.equal(arrivals[0]?.headers["content-type"], "application/json");
    assert.equal(text, '{"id":"ep1"}');
  });

  test("is never sent again after anything that may have arrived", async () => {
    const cases: readonly [Answer, string][] = [
      [reset, "network_error"],
      [silent, "call_timeout"],
      [(socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"), "network_error"],
      [status(500), "server_error"],
      [status(502, { "content-type": "text/html" }, "<html></html>"), "server_error"],
      [status(503, { "retry-after": "1" }), "server_error"],
      [status(408), "server_error"],
      [status(307, { location: "https://evil.example/" }), "api_error"],
    ];
    for (const [answer, code] of cases) {
      const { arrivals, error, sleeps } = await changing([answer, ok], { target: { timeoutMs: 50 } });
      assert.deepEqual([arrivals.length, error?.code, sleeps], [1, code, []]);
      assert.deepEqual([error?.retryable, error?.details["submitted"]], [false, "unknown"]);
      assert.match(error?.message ?? "", /^Sent, with unknown outcome: PATCH \/v2\/serverless\/ep1: /);
    }
  });

  test("was refused for certain by a 4xx", async () => {
    for (const [code, expected] of [
      [400, "bad_request"],
      [404, "not_found"],
      [409, "conflict"],
      [422, "unprocessable"],
    ] as const) {
      const { arrivals, error } = await changing([status(code)]);
      assert.deepEqual([arrivals.length, error?.code, error?.details["submitted"]], [1, expected, undefined]);
    }
  });

  test("is sent again after a 429, as long as it asks, under the same permit", async () => {
    const { arrivals, sleeps } = await changing([status(429, { "retry-after": "3" }), ok]);
    assert.deepEqual([arrivals.length, sleeps], [2, [3_000]]);
  });

  test("is not sent again after a 429 when the gate was closed meanwhile", async () => {
    const { arrivals, error } = await changing([status(429)], { closeWhileWaiting: true });
    assert.deepEqual([arrivals.length, error?.code], [1, "undeclared_mutation"]);
  });

  test("is tried again when no connection was made, and then is known not to have been sent", async () => {
    const { error, sleeps } = await calling(`http://127.0.0.1:${await closedPort()}`, { change: true });
    assert.deepEqual([error?.code, sleeps.length], ["network_error", 3]);
    assert.deepEqual([error?.retryable, error?.details["submitted"]], [true, undefined]);
  });

  test("interrupted in flight may have arrived", async () => {
    const stop = new AbortController();
    const { error, arrivals } = await changing([() => stop.abort()], { client: { signal: stop.signal } });
    assert.deepEqual(
      [error?.code, error?.details["submitted"], arrivals.length],
      ["interrupted", "unknown", 1],
    );
  });

  test("needs the full key", async () => {
    const { error, arrivals } = await changing([ok], { target: { key: "", readKey: "rpa_READONLY" } });
    assert.deepEqual([error?.code, arrivals.length], ["no_credentials", 0]);
    assert.match(error?.message ?? "", /^Only a read-only key is set .* a change needs RUNPOD_API_KEY$/);
  });

  test("of another host, another route or another body is refused, and the gate closes", async () => {
    const server = await rawServer((arrival, socket) => ok(socket, arrival));
    const target = targetAt(server.url);
    const good = preparePatch(target, "ep1", { name: "a" });
    const others = [
      { ...good, url: good.url.replace(/\d+\/v2/, "1/v2") },
      { ...good, url: `${good.url}/releases` },
      { ...good, method: "POST" as const },
      { ...good, body: '{"name":"b"}' },
    ];
    for (const other of others) {
      const gate = createGate();
      const client = createChangeClient(target, gate);
      const permit = gate.permit(good);
      await assert.rejects(client.change(other, permit), (error) =>
        isReadbackError(error, "undeclared_mutation"),
      );
      await assert.rejects(client.change(good, permit), (error) =>
        isReadbackError(error, "undeclared_mutation"),
      );
      assert.notEqual(gate.closed, null);
    }
    await server.close();
    assert.equal(server.arrivals.length, 0);
  });

  test("a look outside the route table closes the gate too", async () => {
    const gate = createGate();
    const client = createChangeClient(targetAt("http://127.0.0.1:9"), gate);
    await assert.rejects(client.look("/v2/pods"));
    assert.match(gate.closed ?? "", /v2\/pods/);
  });
});

describe("a look client", () => {
  test("has no way to change anything", async () => {
    const client = createLookClient(targetAt("http://127.0.0.1:9"));
    assert.deepEqual(Object.keys(client).sort(), ["look", "reads", "target"]);
  });
});

describe("keys", () => {
  test("a key that cannot be sent is refused before any request, and never shown", async () => {
    for (const key of ["rpa_SECRET\nX", "“rpa_SECRET”", "rpa SECRET", "rpa_SECRET\0", "rpa_SECRETñ"]) {
      for (const change of [false, true]) {
        const { error, arrivals } = await (change ? changing : looking)([ok], {
          target: { key, readKey: key },
        });
        assert.deepEqual([error?.code, arrivals.length], ["no_credentials", 0]);
        assert.ok(!`${error?.message}${error?.stack}${error?.cause}`.includes("SECRET"));
      }
    }
  });

  test("a key that a service echoes is masked", async () => {
    const body = JSON.stringify({ detail: `bad key ${KEY}`, errors: [`${KEY} is odd`] });
    const { error } = await looking([status(401, {}, body)]);
    assert.ok(!JSON.stringify([error?.message, error?.details]).includes(KEY));
    assert.match(error?.message ?? "", /bad key \*\*\*.*the key came from RUNPOD_API_KEY/);
  });

  test("a key never goes over plain http to another machine", () => {
    const target = targetAt("http://gateway.example");
    assert.throws(
      () => createLookClient(target),
      (error) => isReadbackError(error, "usage_error"),
    );
    assert.throws(
      () => createChangeClient(target, createGate()),
      (error) => isReadbackError(error, "usage_error"),
    );
    createLookClient(target, { fetch: async () => new Response() });
  });
});

describe("a handler in the process", () => {
  test("takes the place of the network, change and all", async () => {
    const target = targetAt("http://readback.sandbox");
    const gate = createGate();
    const seen: string[] = [];
    const fetch = async (request: Request) => {
      seen.push(`${request.method} ${new URL(request.url).pathname}`);
      return Response.json({ id: "ep1" });
    };
    const client = createChangeClient(target, gate, { fetch });
    const prepared = preparePatch(target, "ep1", { name: "a" });
    await readEndpoint(client, "ep1");
    await client.change(prepared, gate.permit(prepared));
    assert.deepEqual(seen, ["GET /v2/serverless/ep1", "PATCH /v2/serverless/ep1"]);
  });
});

interface Setup {
  readonly target?: Partial<Target>;
  readonly client?: ClientOptions;
  readonly calls?: number;
  readonly change?: boolean;
  readonly closeWhileWaiting?: boolean;
}

interface Result {
  arrivals: readonly Arrival[];
  text: string | null;
  error: ReadbackError | null;
  sleeps: readonly number[];
  notes: readonly string[];
  reads: number;
}

/** Reads endpoint ep1 from a server that answers in turn; the last answer repeats. */
async function looking(answers: readonly Answer[], setup: Setup = {}): Promise<Result> {
  let n = 0;
  const server = await rawServer((arrival, socket) => {
    const answer = answers[Math.min(n, answers.length - 1)];
    n += 1;
    answer?.(socket, arrival);
  });
  try {
    return { ...(await calling(server.url, setup)), arrivals: [...server.arrivals] };
  } finally {
    await server.close();
  }
}

async function changing(answers: readonly Answer[], setup: Setup = {}): Promise<Result> {
  return await looking(answers, { ...setup, change: true });
}

async function calling(url: string, setup: Setup): Promise<Result> {
  const target = targetAt(url, setup.target);
  const clock = testClock();
  const gate = createGate();
  const notes: string[] = [];
  const onNote = (text: string): void => {
    notes.push(text);
    if (setup.closeWhileWaiting) gate.close("another refusal");
  };
  const client = createChangeClient(target, gate, { clock, onNote, random: () => 1, ...setup.client });
  const result: Result = { arrivals: [], text: null, error: null, sleeps: clock.sleeps, notes, reads: 0 };
  try {
    for (let call = 0; call < (setup.calls ?? 1); call += 1) {
      const prepared = preparePatch(target, "ep1", { workers: { max: 3 } });
      const got = setup.change ? client.change(prepared, gate.permit(prepared)) : readEndpoint(client, "ep1");
      result.text = (await got).text;
    }
  } catch (error) {
    if (!isReadbackError(error)) throw error;
    result.error = error;
  }
  result.reads = client.reads;
  return result;
}
