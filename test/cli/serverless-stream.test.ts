import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Answer,
  BAD_GATEWAY,
  endpointText,
  inTurn,
  job,
  NOT_FOUND,
  type Route,
  type Service,
  service,
} from "./_service.ts";
import { type Called, call, ended, errorOf, sendSignal, start } from "./_spawn.ts";

const A = '{"output": {"seed":18446744073709551615,"f":1.0}}';
const reply = (status: string, ...entries: readonly string[]): string =>
  `{"status":"${status}","stream":[${entries.join(",")}]}`;

async function withStream<T>(
  stream: Route | Answer,
  work: (at: Service) => Promise<T>,
  more: { status?: Route | Answer; endpoint?: string } = {},
): Promise<T> {
  const at = await service(
    { "GET /ep_a/stream/j1": stream, "GET /ep_a/status/j1": more.status ?? NOT_FOUND },
    more.endpoint ? { "GET /v2/serverless/ep_a": more.endpoint } : {},
  );
  try {
    return await work(at);
  } finally {
    await at.close();
  }
}

const STREAM = ["serverless", "stream", "ep_a", "j1"];
const run = (at: Service): Promise<Called> => call(STREAM, { env: at.env });

describe("serverless stream", () => {
  test("prints chunks as JSON lines, tokens as they came, and the last one although it rides on COMPLETED", () =>
    withStream(
      inTurn(reply("IN_QUEUE"), reply("IN_PROGRESS", A), reply("COMPLETED", '{"output":"last"}')),
      async (at) => {
        const called = await run(at);
        assert.equal(called.status, 0, called.stderr);
        assert.equal(called.stdout, '{"output":{"seed":18446744073709551615,"f":1.0}}\n{"output":"last"}\n');
        // The service of this test takes nothing away: what it says again is not printed again.
        assert.equal(at.invoked().length, 4);
      },
    ));

  test("goes on after COMPLETED until nothing more comes: a long end may take several replies", () =>
    withStream(
      inTurn(
        reply("COMPLETED", '{"output":1}'),
        reply("COMPLETED", '{"output":2}'),
        reply("COMPLETED", '{"output":3}'),
        reply("COMPLETED"),
      ),
      async (at) => {
        const called = await run(at);
        assert.equal(called.status, 0, called.stderr);
        assert.equal(called.stdout, '{"output":1}\n{"output":2}\n{"output":3}\n');
      },
    ));

  test("a result that is gone after its last chunk is the end, and no error", () =>
    withStream(inTurn(reply("COMPLETED", '{"output":1}'), NOT_FOUND), async (at) => {
      const called = await run(at);
      assert.equal(called.status, 0, called.stderr);
      assert.equal(called.stdout, '{"output":1}\n');
    }));

  test("an empty bare array says nothing of the job: its status ends it, after one more look for chunks", () =>
    withStream(
      inTurn('[{"output":1}]', "[]", '[{"output":2}]', "[]"),
      async (at) => {
        const called = await run(at);
        assert.equal(called.status, 0, called.stderr);
        assert.equal(called.stdout, '{"output":1}\n{"output":2}\n');
        const asked = at.invoked().filter((line) => line.includes("/status/"));
        assert.equal(asked.length, 1);
      },
      { status: job("COMPLETED") },
    ));

  test("the status that ends a bare array ends it as job_failed where the job failed", () =>
    withStream(
      inTurn('[{"output":1}]', "[]"),
      async (at) => {
        const called = await run(at);
        assert.equal(called.status, 1);
        assert.equal(called.stdout, '{"output":1}\n');
        assert.equal(errorOf(called)["code"], "job_failed");
      },
      { status: job("FAILED") },
    ));

  test("takes the bare array of the documentation too", () =>
    withStream(inTurn('[{"output":1}]', reply("COMPLETED")), async (at) => {
      assert.equal((await run(at)).stdout, '{"output":1}\n');
    }));

  test("chunks are out as they come, before the job ends", () => {
    let heldBack = (): void => {};
    const holding = new Promise<void>((resolve) => {
      heldBack = resolve;
    });
    const once: Route = (_, count) => {
      if (count === 1) return reply("IN_PROGRESS", '{"output":1}');
      heldBack();
      return null;
    };
    return withStream(once, async (at) => {
      const child = start(STREAM, { env: at.env });
      const done = ended(child);
      const first = await new Promise<string>((resolve) => child.stdout?.once("data", resolve));
      assert.equal(String(first), '{"output":1}\n');
      await holding;
      sendSignal(child, "SIGINT");
      const called = await done;
      assert.equal(called.status, 130, called.stderr);
      assert.equal(called.stdout, '{"output":1}\n');
      assert.match(String(errorOf(called)["error"]), /job j1 goes on/);
    });
  });

  for (const state of ["FAILED", "CANCELLED", "TIMED_OUT"])
    test(`${state} ends it after the first reply as job_failed`, () =>
      withStream(reply(state), async (at) => {
        const called = await run(at);
        assert.equal(called.status, 1);
        assert.equal(errorOf(called)["code"], "job_failed");
        assert.equal(at.invoked().length, 1);
      }));

  test("chunks before a FAILED end are printed", () =>
    withStream(inTurn(reply("IN_PROGRESS", '{"output":1}'), reply("FAILED", '{"output":2}')), async (at) => {
      const called = await run(at);
      assert.equal(called.stdout, '{"output":1}\n{"output":2}\n');
      assert.equal(errorOf(called)["code"], "job_failed");
    }));

  test("a second run on a drained job warns already drained and falls back to the status, on one line", () => {
    const status = '{"id":"j1","status":"COMPLETED",\n "output":[{"n":1.0}]}';
    return withStream(
      reply("COMPLETED"),
      async (at) => {
        const called = await run(at);
        assert.equal(called.status, 0, called.stderr);
        assert.match(called.stderr, /^WARN no chunks: they were already drained/);
        assert.equal(called.stdout, '{"id":"j1","status":"COMPLETED","output":[{"n":1.0}]}\n');
      },
      { status },
    );
  });

  test("a read that may have taken chunks away is not repeated, and says so", () =>
    withStream(inTurn(reply("IN_PROGRESS", '{"output":1}'), BAD_GATEWAY), async (at) => {
      const called = await run(at);
      assert.equal(called.status, 1);
      assert.equal(called.stdout, '{"output":1}\n');
      assert.match(String(errorOf(called)["error"]), /what it took away may be lost/);
      assert.equal(errorOf(called)["followUp"], "readback serverless stream ep_a j1");
      assert.equal(at.invoked().length, 2);
    }));

  test("an answer with neither chunks nor a status is api_error", () =>
    withStream('{"error":"x"}', async (at) => {
      assert.equal(errorOf(await run(at))["code"], "api_error");
    }));

  test("a 404 explains its causes", () =>
    withStream(NOT_FOUND, async (at) => {
      assert.match(String(errorOf(await run(at))["error"]), /result has expired/);
    }));

  test("a load balancer endpoint is a usage error without a request to it", () =>
    withStream(
      reply("COMPLETED"),
      async (at) => {
        assert.equal((await run(at)).status, 2);
        assert.deepEqual(at.invoked(), []);
      },
      { endpoint: endpointText({ type: "LOAD_BALANCER", requestUrls: {} }) },
    ));

  test("a job that is unknown to the status is still told by what the stream said", () =>
    withStream(job("COMPLETED"), async (at) => {
      const called = await run(at);
      assert.equal(errorOf(called)["code"], "not_found");
    }));
});
