import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLookClient } from "../../lib/api/client.ts";
import { payloadOf } from "../../lib/api/payload-error.ts";
import { isReadbackError } from "../../lib/errors.ts";
import { readJob } from "../../lib/wait/read-job.ts";
import { testClock } from "../api/_clock.ts";
import { targetAt } from "../api/_target.ts";
import { inTurn, job } from "./_job-world.ts";

const edge = () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } });

describe("readJob()", () => {
  test("gives the payload as it came, for jobs that go on and for COMPLETED ones", async () => {
    const text = '{"status":"IN_PROGRESS", "id":"j1","output":1.0}';
    assert.deepEqual(await reading(() => new Response(text)), { text, status: "IN_PROGRESS", error: null });
    assert.equal((await reading(() => job("completed"))).error, null);
  });

  test("gives job_failed beside the payload for every other end", async () => {
    for (const status of ["FAILED", "CANCELLED", "TIMED_OUT"]) {
      const { text, error } = await reading(() => job(status, { error: "why" }));
      assert.deepEqual(
        [error?.code, error?.details],
        ["job_failed", { jobId: "j1", endpoint: "ep1", status }],
      );
      assert.equal(payloadOf(error), text);
    }
  });

  test("is not stranded by one 502", async () => {
    assert.equal((await reading(inTurn(edge, () => job("IN_QUEUE")))).status, "IN_QUEUE");
  });

  test("explains a 404, and an answer with neither id nor status is api_error with its payload", async () => {
    await assert.rejects(
      reading(() => Response.json({ error: "x" }, { status: 404 })),
      (error) => {
        assert.ok(isReadbackError(error, "not_found"));
        assert.match(error.message, /id or the endpoint is wrong.*expired.*TTL/);
        return error.status === 404;
      },
    );
    await assert.rejects(
      reading(() => new Response('{"a":1}')),
      (error) => {
        assert.ok(isReadbackError(error, "api_error"));
        return payloadOf(error) === '{"a":1}';
      },
    );
  });

  test("refuses ids that would change the path", async () => {
    await assert.rejects(
      reading(() => job("X"), ".."),
      (error) => isReadbackError(error, "usage_error"),
    );
  });
});

async function reading(service: ReturnType<typeof inTurn>, id = "j1") {
  let count = 0;
  const clock = testClock();
  const fetch = async () => {
    count += 1;
    return await service({ path: "", atMs: 0, waitMs: null }, clock, count);
  };
  const client = createLookClient(targetAt("http://readback.sandbox"), { clock, fetch });
  return await readJob(client, { endpoint: "ep1", job: id });
}
