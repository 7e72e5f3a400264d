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
import { type Called, call, errorOf, temporaryFolder } from "./_spawn.ts";

async function retrying(
  status: Route | Answer,
  args: readonly string[],
  control: Readonly<Record<string, Route | Answer>> = {},
): Promise<{ called: Called; at: Service }> {
  const home = temporaryFolder();
  const at = await service({
    "GET /ep_a/status/j1": status,
    "POST /ep_a/retry/j1": job("IN_QUEUE"),
    ...control,
  });
  try {
    const env = { ...at.env, HOME: home.path };
    return { called: await call(["serverless", "retry", "ep_a", "j1", ...args], { env }), at };
  } finally {
    await at.close();
    home.remove();
  }
}

const FAILED = inTurn(job("FAILED"), job("FAILED"), job("FAILED"), job("IN_QUEUE"));

describe("serverless retry", () => {
  test("says that it bills again and that the old output is lost, and sends nothing in a dry run", async () => {
    const { called, at } = await retrying(job("FAILED"), ["--dry-run"]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /WARN the job runs and bills again, and its earlier output is lost/);
    assert.match(called.stdout, /job\.status {2}FAILED → IN_QUEUE/);
    assert.deepEqual(at.changes(), []);
  });

  test("--yes sends one retry after a fresh read, and proves it by another", async () => {
    const { called, at } = await retrying(FAILED, ["--yes"]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /^VERIFIED .*Retry job j1\n {2}job\.status {2}FAILED → IN_QUEUE\n/);
    assert.deepEqual(
      at.changes().map(({ path }) => path),
      ["/ep_a/retry/j1"],
    );
  });

  test("a retry without an answer is sent once; a job that still reads FAILED leaves it unknown", async () => {
    const { called, at } = await retrying(job("FAILED"), ["--yes"], { "POST /ep_a/retry/j1": BAD_GATEWAY });
    assert.equal(called.status, 5, called.stderr);
    const { error, details } = errorOf(called);
    assert.match(String(error), /may still arrive: do not send it again/);
    assert.equal((details as Record<string, unknown>)["submitted"], "unknown");
    assert.equal(at.changes().length, 1);
  });

  test("without a terminal and without --yes nothing is sent, exit 3", async () => {
    const { called, at } = await retrying(job("TIMED_OUT"), []);
    assert.equal(called.status, 3);
    assert.deepEqual(at.changes(), []);
  });

  test("a job in another state is refused, since a retry would delete its output", async () => {
    for (const state of ["COMPLETED", "IN_PROGRESS"]) {
      const { called, at } = await retrying(job(state), ["--yes"]);
      assert.equal(called.status, 2);
      assert.match(String(errorOf(called)["error"]), /a retry would delete its output/);
      assert.deepEqual(at.changes(), []);
    }
  });

  test("an expired job is not_found", async () => {
    const { called } = await retrying(NOT_FOUND, ["--yes"]);
    assert.equal(errorOf(called)["code"], "not_found");
    assert.match(String(errorOf(called)["error"]), /result has expired/);
  });

  test("a load balancer endpoint is a usage error", async () => {
    const endpoint = endpointText({ type: "LOAD_BALANCER", requestUrls: {} });
    const { called } = await retrying(job("FAILED"), ["--yes"], { "GET /v2/serverless/ep_a": endpoint });
    assert.equal(called.status, 2);
  });
});
