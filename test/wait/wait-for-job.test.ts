import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { payloadOf } from "../../lib/api/payload-error.ts";
import { errorDocument } from "../../lib/errors.ts";
import { holdingService, inTurn, job, mostIn, pollingService, type Service, waiting } from "./_job-world.ts";

const html = (status: number) => () =>
  new Response("<html>edge</html>", { status, headers: { "content-type": "text/html" } });
const refusedWith = (status: number) => () => Response.json({ error: "no" }, { status });
const broken = () => Promise.reject(new TypeError("the connection broke"));
const queued = () => job("IN_QUEUE");
const running = () => job("IN_PROGRESS");
const completed = () => job("COMPLETED", { output: 1 });
const known = { text: '{"id":"j1","status":"IN_QUEUE"}', status: "IN_QUEUE" };
const poll = { hold: false } as const;

describe("holding at /status-sync", () => {
  test("is asked for at once, for at most 25 s each, and ends with the job", async () => {
    const { requests, ended, tookMs } = await waiting(holdingService(60_000), { known });
    assert.deepEqual(
      requests.map(({ path, waitMs, atMs }) => [path, waitMs, atMs]),
      [
        ["/status-sync/j1", 25_000, 0],
        ["/status-sync/j1", 25_000, 25_000],
        ["/status-sync/j1", 25_000, 50_000],
      ],
    );
    assert.deepEqual(
      [ended?.ended, ended?.status, ended?.error, tookMs],
      ["terminal", "COMPLETED", null, 60_000],
    );
  });

  test("never reaches beyond the budget", async () => {
    for (const budgetMs of [100, 900, 1_600, 3_000, 24_900, 26_000, 60_000]) {
      const { requests, ended, tookMs } = await waiting(holdingService(Number.POSITIVE_INFINITY), {
        budgetMs,
      });
      for (const { atMs, waitMs } of requests) assert.ok(atMs + (waitMs ?? 0) <= budgetMs, `${budgetMs}`);
      assert.deepEqual([ended?.ended, tookMs], ["budget", budgetMs]);
      assert.ok(requests.length > 0);
    }
  });

  test("stays within the deadline of a call", async () => {
    const { requests } = await waiting(holdingService(9_000), { callTimeoutMs: 5_000 });
    assert.deepEqual(
      requests.map(({ waitMs }) => waitMs),
      [4_500, 4_500],
    );
  });

  test("goes on when the service answers early because the job started", async () => {
    const service: Service = (request, clock, count) => {
      if (count === 1) return running();
      return holdingService(5_000)(request, clock, count);
    };
    const { requests, events } = await waiting(service, { known });
    assert.deepEqual(
      requests.map(({ path }) => path),
      ["/status-sync/j1", "/status-sync/j1"],
    );
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ["status", "status"],
    );
  });

  test("is not tried where it is turned off", async () => {
    const { requests, ended } = await waiting(holdingService(4_000), poll);
    assert.ok(requests.every(({ path }) => path === "/status/j1"));
    assert.equal(ended?.status, "COMPLETED");
  });
});

describe("holding is given up for good", () => {
  for (const [name, answer] of [
    ["404", refusedWith(404)],
    ["405", refusedWith(405)],
    ["400", refusedWith(400)],
    ["501", refusedWith(501)],
    ["500", refusedWith(500)],
    ["a 524 of the edge", html(524)],
    ["a 502 of the edge", html(502)],
    ["a reset", broken],
    ["a page in place of a job", html(200)],
    ["an answer that is no job", () => Response.json({ ok: true })],
    ["an answer at once although the job goes on", queued],
  ] as const) {
    test(`after ${name}`, async () => {
      const service: Service = (request, clock, count) =>
        count === 1 ? answer() : pollingService(3_000)(request, clock, count);
      const { requests, ended, events } = await waiting(service, { known });
      assert.deepEqual(
        requests.map(({ path, atMs }) => [path, atMs]),
        [
          ["/status-sync/j1", 0],
          ["/status/j1", 500],
          ["/status/j1", 1_250],
          ["/status/j1", 2_375],
          ["/status/j1", 4_062.5],
        ],
      );
      assert.equal(ended?.status, "COMPLETED");
      assert.equal(events.filter(({ kind }) => kind === "polling").length, 1);
    });
  }

  test("after one that was cut in its course, and the next look is a poll", async () => {
    const service: Service = (request, clock, count) => {
      if (count > 2) return pollingService(40_000)(request, clock, count);
      clock.advance(20_000);
      return count === 1 ? running() : html(524)();
    };
    const { requests, ended } = await waiting(service);
    assert.deepEqual(
      requests.map(({ path }) => path),
      ["/status-sync/j1", "/status-sync/j1", "/status/j1"],
    );
    assert.equal(ended?.status, "COMPLETED");
  });

  test("after a second 429 in a row, and not after one", async () => {
    const once = await waiting(inTurn(refusedWith(429), completed));
    assert.deepEqual(
      once.requests.map(({ path }) => path),
      ["/status-sync/j1", "/status-sync/j1"],
    );
    const twice = await waiting(inTurn(refusedWith(429), refusedWith(429), completed));
    assert.equal(twice.requests.at(-1)?.path, "/status/j1");
  });
});

describe("polling", () => {
  test("starts at once, and its pauses grow by half from 500 ms to 5 s", async () => {
    const { requests } = await waiting(pollingService(60_000), poll);
    const pauses = requests.slice(1).map(({ atMs }, i) => atMs - (requests[i]?.atMs ?? 0));
    assert.deepEqual(pauses.slice(0, 9), [500, 750, 1125, 1687.5, 2531.25, 3796.875, 5000, 5000, 5000]);
    assert.equal(requests[0]?.atMs, 0);
  });

  test("starts after a pause where the submit has just answered", async () => {
    const { requests } = await waiting(pollingService(0), { ...poll, known });
    assert.deepEqual(
      requests.map(({ atMs }) => atMs),
      [500],
    );
  });

  test("asks nothing when the submit's answer is final already", async () => {
    const { requests, ended } = await waiting(queued, { known: { text: "{}", status: "FAILED" } });
    assert.deepEqual([requests.length, ended?.error?.code], [0, "job_failed"]);
  });

  test("goes on through a reset, a 502 page and a 503, and tells each outage once", async () => {
    const service = inTurn(queued, broken, running, html(502), refusedWith(503), refusedWith(408), completed);
    const { ended, events, requests } = await waiting(service, poll);
    assert.deepEqual([ended?.status, ended?.lastFailure, requests.length], ["COMPLETED", null, 7]);
    assert.deepEqual(
      events.map((event) => (event.kind === "failed_read" ? event.inARow : event.kind)),
      ["status", 1, "recovered", "status", 1, 2, 3, "recovered", "status"],
    );
  });

  test("ends at once with 400, 401, 403 and other refusals; those of a hold are confirmed by one poll", async () => {
    for (const [status, code] of [
      [401, "unauthorized"],
      [403, "forbidden"],
      [400, "bad_request"],
      [405, "api_error"],
    ] as const) {
      const { error, requests } = await waiting(inTurn(refusedWith(status)), poll);
      assert.deepEqual([error?.code, error?.status, requests.length], [code, status, 1]);
      assert.deepEqual(error?.details, { jobId: "j1", endpoint: "ep1" });
    }
    for (const status of [401, 403]) {
      const { error, requests } = await waiting(inTurn(refusedWith(status)));
      assert.deepEqual(
        [error?.status, requests.map(({ path }) => path)],
        [status, ["/status-sync/j1", "/status/j1"]],
      );
      const keptFromHolding = await waiting(inTurn(refusedWith(status), completed));
      assert.equal(keptFromHolding.ended?.status, "COMPLETED");
    }
  });

  test("does not multiply with the client's own repetitions", async () => {
    const { requests, ended } = await waiting(inTurn(refusedWith(503)), { ...poll, budgetMs: 5_000 });
    assert.deepEqual(
      requests.map(({ atMs }) => atMs),
      [0, 500, 1_250, 2_375, 4_062.5, 5_000],
    );
    assert.equal(ended?.error?.code, "wait_timeout");
  });
});

describe("a job's states", () => {
  for (const status of ["COMPLETED", "completed", "Failed", "CANCELLED", "TIMED_OUT", "timed_out"]) {
    test(`${status} ends the wait after one reply, holding or polling`, async () => {
      for (const hold of [true, false]) {
        const { requests, ended } = await waiting(() => job(status), { hold });
        const success = status.toUpperCase() === "COMPLETED";
        assert.deepEqual(
          [requests.length, ended?.status, ended?.error?.code ?? null],
          [1, status, success ? null : "job_failed"],
        );
        assert.equal(payloadOf(ended?.error), success ? null : ended?.text);
      }
    });
  }

  test("IN_QUEUE, IN_PROGRESS, RUNNING and unknown ones go on", async () => {
    const states = ["IN_QUEUE", "IN_PROGRESS", "RUNNING", "PAUSED"].map((status) => () => job(status));
    const { ended, events } = await waiting(inTurn(...states, completed), poll);
    assert.equal(ended?.status, "COMPLETED");
    assert.equal(events.filter(({ kind }) => kind === "status").length, 5);
  });

  test("a poll with a status and no id is normal: the id of the submit stays in use", async () => {
    const service = inTurn(
      () => Response.json({ status: "IN_QUEUE" }),
      () => Response.json({ status: "COMPLETED", id: "other" }),
    );
    const { requests, ended } = await waiting(service, poll);
    assert.deepEqual(
      requests.map(({ path }) => path),
      ["/status/j1", "/status/j1"],
    );
    assert.equal(ended?.status, "COMPLETED");
  });

  test("an id without a status goes on polling, holding or not", async () => {
    const bare = () => Response.json({ id: "j1" });
    for (const hold of [true, false]) {
      const { ended } = await waiting(
        inTurn(bare, () => Response.json({ id: "j1", status: "" }), completed),
        { hold },
      );
      assert.equal(ended?.status, "COMPLETED");
    }
  });

  test("an answer with neither id nor status is api_error with its payload on the error alone", async () => {
    const body = '{"error":"SECRET"}';
    const { error, requests } = await waiting(() => new Response(body), poll);
    assert.deepEqual([error?.code, requests.length, payloadOf(error)], ["api_error", 1, body]);
    assert.ok(error && !JSON.stringify([errorDocument(error), error]).includes("SECRET"));
    assert.match(error.message, /neither an id nor a status/);
    const page = await waiting(html(200), poll);
    assert.deepEqual([page.error?.code, payloadOf(page.error)], ["api_error", null]);
  });

  test("a FAILED job's error is told in one line, also from the JSON that a handler raises", async () => {
    const told = async (error: unknown) =>
      (await waiting(() => job("FAILED", { error }))).ended?.error?.message;
    assert.equal(
      await told("name 'app'\n  is not\u001b[31m defined"),
      "job j1 ended as FAILED: name 'app' is not [31m defined",
    );
    assert.equal(
      await told(JSON.stringify({ error_type: "x", error_message: "bad prompt" })),
      "job j1 ended as FAILED: bad prompt",
    );
    assert.equal(await told(undefined), "job j1 ended as FAILED");
    assert.ok(((await told("x".repeat(9_000))) ?? "").length < 600);
  });
});

describe("a 404", () => {
  const gone = refusedWith(404);

  test("for a job that was never seen names the three causes", async () => {
    const { error, requests } = await waiting(gone);
    assert.deepEqual(
      [error?.code, requests.map(({ path }) => path)],
      ["not_found", ["/status-sync/j1", "/status/j1"]],
    );
    assert.match(error?.message ?? "", /the id or the endpoint is wrong.*result has expired.*TTL has passed/);
    assert.equal(payloadOf(error), null);
  });

  test("for a job that was seen says that it is gone, and keeps its last payload", async () => {
    const seen = inTurn(running, gone);
    const { error, requests } = await waiting(seen, poll);
    assert.deepEqual([error?.code, requests.length], ["not_found", 2]);
    assert.match(
      error?.message ?? "",
      /was seen IN_PROGRESS and is gone now.*TTL has passed.*result has expired/,
    );
    assert.equal(payloadOf(error), '{"id":"j1","status":"IN_PROGRESS"}');
    assert.match((await waiting(gone, { ...poll, known })).error?.message ?? "", /was seen IN_QUEUE/);
  });

  test("of a hold says nothing of the job, also where holding has worked before: one poll does", async () => {
    const service: Service = (_request, clock, count) => {
      clock.advance(count === 1 ? 25_000 : 0);
      return count === 1 ? running() : gone();
    };
    const { error, requests } = await waiting(service);
    assert.deepEqual(
      [error?.code, requests.map(({ path }) => path)],
      ["not_found", ["/status-sync/j1", "/status-sync/j1", "/status/j1"]],
    );
    const there = await waiting((request, clock, count) =>
      count === 3 ? completed() : service(request, clock, count),
    );
    assert.equal(there.ended?.status, "COMPLETED");
  });
});

describe("a spent budget", () => {
  test("is wait_timeout with the job, the follow-up and the last payload, whatever failed on the way", async () => {
    for (const service of [
      running,
      inTurn(running, broken),
      inTurn(running, html(502)),
      inTurn(running, refusedWith(429)),
    ]) {
      const { ended } = await waiting(service, { ...poll, budgetMs: 300_000 });
      const error = ended?.error;
      assert.deepEqual(
        [error?.code, error?.retryable, error?.followUp, error?.details],
        ["wait_timeout", false, "readback serverless status ep1 j1", { jobId: "j1", endpoint: "ep1" }],
      );
      assert.match(
        error?.message ?? "",
        /^gave up waiting for job j1 after 5m, last seen IN_PROGRESS; do not submit it again/,
      );
      assert.equal(payloadOf(error), '{"id":"j1","status":"IN_PROGRESS"}');
      assert.equal(ended?.lastFailure === null, service === running);
    }
  });

  test("is never called 0s", async () => {
    for (const [budgetMs, text] of [
      [100, "100ms"],
      [0.4, "1ms"],
      [1_500, "1.5s"],
      [90_000, "1m30s"],
      [3_600_000, "1h"],
    ] as const) {
      const { ended } = await waiting(running, { ...poll, budgetMs });
      assert.match(ended?.error?.message ?? "", new RegExp(`after ${text},`));
    }
  });

  test("counts from before the submit", async () => {
    const { ended, requests } = await waiting(running, { known, budgetMs: 1_000, sinceMs: 0 });
    assert.deepEqual([ended?.ended, requests.length, payloadOf(ended?.error)], ["budget", 0, known.text]);
  });

  test("ends with a last look, so that a job that ends in the last pause is seen", async () => {
    const { ended, requests, tookMs } = await waiting(pollingService(2_900), { ...poll, budgetMs: 3_000 });
    assert.deepEqual([ended?.status, requests.at(-1)?.atMs, tookMs], ["COMPLETED", 3_000, 3_000]);
  });
});

describe("the rate limit", () => {
  test("is obeyed: no request before the time that Retry-After names", async () => {
    const busy = () =>
      Response.json({ error: "slow down" }, { status: 429, headers: { "retry-after": "7" } });
    const { requests, ended } = await waiting(inTurn(busy, completed), poll);
    assert.deepEqual([requests.map(({ atMs }) => atMs), ended?.status], [[0, 7_000], "COMPLETED"]);
    const tooLong = await waiting(inTurn(running, busy), { ...poll, budgetMs: 5_000 });
    assert.deepEqual(
      [tooLong.requests.length, tooLong.ended?.error?.code, tooLong.tookMs],
      [2, "wait_timeout", 5_000],
    );
  });

  test("counts the longest window that is used up", async () => {
    const headers = { "retry-after": "2", ratelimit: '"minute";r=0;t=2, "hour";r=0;t=90' };
    const busy = () => Response.json({}, { status: 429, headers });
    const { requests } = await waiting(inTurn(busy, completed), poll);
    assert.deepEqual(
      requests.map(({ atMs }) => atMs),
      [0, 90_000],
    );
  });

  test("that is used up before a request is waited for within the budget alone", async () => {
    const headers = { ratelimit: '"minute";r=0;t=20' };
    const last = () => Response.json({ id: "j1", status: "IN_QUEUE" }, { headers });
    const { requests, tookMs } = await waiting(inTurn(last, completed), { ...poll, budgetMs: 10_000 });
    assert.deepEqual([requests.length, tookMs], [1, 10_000]);
  });

  test("429 to everything for 5 s costs at most 8 requests", async () => {
    for (const hold of [true, false]) {
      const { requests } = await waiting(refusedWith(429), { hold, budgetMs: 5_000 });
      assert.ok(requests.length <= 8, `${requests.length}`);
    }
  });
});

describe("never more than 25 requests in 10 s", () => {
  const flip: Service = (_request, _clock, count) => job(count % 2 === 0 ? "IN_QUEUE" : "IN_PROGRESS");
  const fresh: Service = (_request, _clock, count) => job(`STATE_${count}`);
  const slowly =
    (service: Service): Service =>
    (request, clock, count) => {
      clock.advance(1_000);
      return service(request, clock, count);
    };
  for (const [name, service] of [
    ["an instant answer", queued],
    ["an instant answer with a changing state", flip],
    ["an instant answer with a new state each time", fresh],
    ["an id alone", () => Response.json({ id: "j1" })],
    ["429", refusedWith(429)],
    ["500", refusedWith(500)],
    ["a reset", broken],
    ["a hold that ends after 1 s", slowly(queued)],
    [
      "a hold that ends after 1 s or at once",
      (request, clock, count) => (count % 2 ? flip : slowly(flip))(request, clock, count),
    ],
  ] as readonly (readonly [string, Service])[]) {
    test(`with ${name}`, async () => {
      for (const hold of [true, false]) {
        const { requests } = await waiting(service, { hold, budgetMs: 120_000, known });
        // Of 25 in all: the rest is for what goes before a wait.
        assert.ok(mostIn(10_000, requests) <= 21, `${mostIn(10_000, requests)}`);
        assert.ok(requests.length > 10);
      }
    });
  }
});

describe("the time from the end of a job to the end of the wait", () => {
  const lengths = Array.from({ length: 50 }, (_, i) => 200 + ((i * 7_919) % 19_800));

  test("has a median of at most 0.25 s where /status-sync works", async () => {
    const late: number[] = [];
    for (const endsMs of lengths) {
      const { tookMs } = await waiting(holdingService(endsMs, { startMs: endsMs / 3 }), {
        known,
        latencyMs: 60,
      });
      late.push(tookMs - endsMs);
    }
    late.sort((a, b) => a - b);
    assert.ok((late[25] ?? 999) <= 250, `${late[25]}`);
    assert.ok((late.at(-1) ?? 9_999) <= 500, `${late.at(-1)}`);
  });

  test("is within the pause between two polls where it does not", async () => {
    for (const endsMs of lengths) {
      const { tookMs } = await waiting(pollingService(endsMs), { known });
      assert.ok(tookMs - endsMs <= Math.min(5_000, Math.max(500, endsMs / 2 + 500)), `${endsMs}: ${tookMs}`);
    }
  });
});

describe("what a wait tells", () => {
  test("that nothing is new each 30 s or so, polling as holding", async () => {
    for (const hold of [true, false]) {
      const { events } = await waiting(holdingService(120_000), { known, hold });
      const beats = events.filter(({ kind }) => kind === "still_waiting").length;
      assert.ok(beats >= 2 && beats <= 4, `${beats}`);
    }
  });

  test("a payload as it came, byte for byte", async () => {
    const text =
      '{"id":"j1",\n "status":"COMPLETED","output":{"seed":18446744073709551615,"f":1.0,"gpuTypeId":"x","__proto__":{"a":1}}}';
    for (const hold of [true, false]) {
      assert.equal((await waiting(() => new Response(text), { hold })).ended?.text, text);
    }
  });
});
