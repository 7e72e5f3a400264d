import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Answer,
  endpointText,
  inTurn,
  job,
  NOT_FOUND,
  type Route,
  type Service,
  service,
} from "./_service.ts";
import { type Called, call, errorOf, temporaryFolder } from "./_spawn.ts";

/** Cancels jobs at a service whose jobs are in these states, and can be cancelled while they are queued or running. */
async function cancelling(
  states: Readonly<Record<string, string>>,
  args: readonly string[],
  changes: { routes?: Readonly<Record<string, Route | Answer>>; endpoint?: string } = {},
): Promise<{ called: Called; at: Service; posts: readonly string[] }> {
  const now = new Map(Object.entries(states));
  const idOf = (path: string): string => path.split("/").at(-1) ?? "";
  const read: Route = ({ path }) => {
    const state = now.get(idOf(path));
    return state === undefined ? NOT_FOUND : job(state);
  };
  const routes: Readonly<Record<string, Route | Answer>> = {
    ...changes.routes,
    "GET /ep_a/status/*": changes.routes?.["GET /ep_a/status/*"] ?? read,
    "POST /ep_a/cancel/*":
      changes.routes?.["POST /ep_a/cancel/*"] ??
      (({ path }) => {
        now.set(idOf(path), "CANCELLED");
        return job("CANCELLED");
      }),
  };
  const home = temporaryFolder();
  const at = await service(routes, changes.endpoint ? { "GET /v2/serverless/ep_a": changes.endpoint } : {});
  try {
    const env = { ...at.env, HOME: home.path };
    const called = await call(["serverless", "cancel", ...args], { env });
    return { called, at, posts: at.changes().map(({ path }) => path) };
  } finally {
    await at.close();
    home.remove();
  }
}

describe("serverless cancel", () => {
  test("acts at once, reads the status before, and proves it by a fresh one", async () => {
    const { called, at } = await cancelling({ j1: "IN_PROGRESS" }, ["img", "j1"]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /^j1 {2}CANCELLED, verified by a fresh read\nrun \d{8}T/);
    assert.deepEqual(at.invoked(), [
      "GET /ep_a/status/j1",
      "GET /ep_a/status/j1",
      "POST /ep_a/cancel/j1",
      "GET /ep_a/status/j1",
    ]);
  });

  test("--json prints a readback/result@1, with one row per job as its value", async () => {
    const { called } = await cancelling({ j1: "IN_QUEUE" }, ["ep_a", "j1", "--json"]);
    const result = JSON.parse(called.stdout);
    assert.equal(result.schema, "readback/result@1");
    assert.equal(result.outcome, "applied");
    assert.equal(result.applied[0].readBack.verdict, "verified");
    assert.deepEqual(result.value, [{ job: "j1", status: "CANCELLED", changed: true, error: null }]);
  });

  for (const state of ["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"])
    test(`a job that had already ended as ${state} is said so exactly: nothing is sent, unchanged, exit 0`, async () => {
      const text = await cancelling({ j1: state }, ["ep_a", "j1"]);
      assert.equal(text.called.status, 0, text.called.stderr);
      assert.equal(text.called.stdout, `j1  had already ended: ${state}; nothing was sent\n`);
      assert.deepEqual(text.posts, []);
      const { called } = await cancelling({ j1: state }, ["ep_a", "j1", "--json"]);
      assert.equal(JSON.parse(called.stdout).outcome, "unchanged");
    });

  test("a job that ended in between is not_applied, exit 5, although the answer says CANCELLED", async () => {
    const { called, posts } = await cancelling({}, ["ep_a", "j1"], {
      routes: { "GET /ep_a/status/*": inTurn(job("IN_PROGRESS"), job("IN_PROGRESS"), job("COMPLETED")) },
    });
    assert.equal(called.status, 5, called.stderr);
    assert.equal(errorOf(called)["code"], "not_applied");
    assert.match(called.stdout, /ended as COMPLETED before the cancel; nothing was cancelled/);
    assert.equal(posts.length, 1);
  });

  for (const status of [400, 404, 409, 422])
    test(`a cancel refused with ${status} because the job ended in between is not_applied, from a fresh read`, async () => {
      const { called, posts } = await cancelling({}, ["ep_a", "j1"], {
        routes: {
          "GET /ep_a/status/*": inTurn(job("IN_PROGRESS"), job("IN_PROGRESS"), job("COMPLETED")),
          "POST /ep_a/cancel/*": { status, body: '{"error":"job already finished"}' },
        },
      });
      assert.equal(called.status, 5, called.stderr);
      assert.equal(errorOf(called)["code"], "not_applied");
      assert.equal(posts.length, 1);
    });

  test("a cancel refused while the job goes on is the refusal", async () => {
    const { called } = await cancelling({ j1: "IN_PROGRESS" }, ["ep_a", "j1"], {
      routes: { "POST /ep_a/cancel/*": { status: 400, body: '{"error":"no"}' } },
    });
    assert.equal(called.status, 1, called.stderr);
    assert.equal(errorOf(called)["status"], 400);
  });

  test("a cancel without an answer whose job goes on is unverifiable: it may still arrive", async () => {
    const { called, posts } = await cancelling({ j1: "IN_PROGRESS" }, ["ep_a", "j1"], {
      routes: { "POST /ep_a/cancel/*": { status: 502, body: "<html>bad gateway</html>" } },
    });
    assert.equal(called.status, 5, called.stderr);
    const error = errorOf(called);
    assert.equal(error["code"], "unverifiable");
    assert.equal((error["details"] as Record<string, unknown>)["submitted"], "unknown");
    assert.match(String(error["error"]), /may still arrive/);
    assert.equal(posts.length, 1);
  });

  test("a cancel without an answer whose job ended by itself is not_applied, and whose job is cancelled is proved", async () => {
    const lost = { status: 502, body: "<html>bad gateway</html>" };
    for (const [end, status] of [
      ["COMPLETED", 5],
      ["CANCELLED", 0],
    ] as const) {
      const { called } = await cancelling({}, ["ep_a", "j1"], {
        routes: {
          "GET /ep_a/status/*": inTurn(job("IN_PROGRESS"), job("IN_PROGRESS"), job(end)),
          "POST /ep_a/cancel/*": lost,
        },
      });
      assert.equal(called.status, status, called.stderr);
    }
  });

  test("a job that ended between plan and change is left alone, exit 0", async () => {
    const { called, posts } = await cancelling({}, ["ep_a", "j1"], {
      routes: { "GET /ep_a/status/*": inTurn(job("IN_PROGRESS"), job("COMPLETED")) },
    });
    assert.equal(called.status, 0, called.stderr);
    assert.equal(called.stdout, "j1  had already ended: COMPLETED; nothing was sent\n");
    assert.deepEqual(posts, []);
  });

  test("of several, all are tried: one that is not there does not stop the others, and the exit says 2/3", async () => {
    const { called, posts } = await cancelling({ a: "IN_QUEUE", c: "IN_PROGRESS" }, ["ep_a", "a", "b", "c"]);
    assert.equal(called.status, 6, called.stderr);
    assert.match(called.stdout, /^a {2}CANCELLED.*\nb {2}not cancelled: .*\(HTTP 404\)\nc {2}CANCELLED/);
    assert.equal(errorOf(called)["code"], "partially_applied");
    assert.match(String(errorOf(called)["error"]), /^2\/3 done; not done: b /);
    assert.deepEqual(posts, ["/ep_a/cancel/a", "/ep_a/cancel/c"]);
  });

  test("one cancel that a read does not prove does not stop the next", async () => {
    const { called, posts } = await cancelling({}, ["ep_a", "a", "b"], {
      routes: {
        "GET /ep_a/status/*": ({ path }, count) =>
          path.endsWith("/a") && count > 3 ? job("COMPLETED") : job(count > 6 ? "CANCELLED" : "IN_PROGRESS"),
      },
    });
    assert.equal(posts.length, 2, called.stderr);
    assert.equal(called.status, 6);
  });

  test("a job that is not there is not_found, with what that can mean, and nothing is sent", async () => {
    const { called, posts } = await cancelling({}, ["ep_a", "nobody"]);
    assert.equal(called.status, 1);
    assert.equal(errorOf(called)["code"], "not_found");
    assert.match(String(errorOf(called)["error"]), /result has expired/);
    assert.deepEqual(posts, []);
  });

  test("--dry-run previews each cancel and sends none", async () => {
    const { called, posts } = await cancelling({ a: "IN_QUEUE", b: "IN_PROGRESS" }, [
      "ep_a",
      "a",
      "b",
      "--dry-run",
    ]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /job\.status {2}IN_QUEUE → CANCELLED/);
    assert.match(
      called.stdout,
      /2 changes on 1 endpoint\.\nApply it: readback serverless cancel ep_a a b\n$/,
    );
    assert.deepEqual(posts, []);
  });

  test("--dry-run of a job that is not there is not_found, and shows no plan that says nothing is to do", async () => {
    const { called, posts } = await cancelling({}, ["ep_a", "nobody", "--dry-run"]);
    assert.equal(called.status, 1);
    assert.equal(called.stdout, "");
    assert.equal(errorOf(called)["code"], "not_found");
    assert.deepEqual(posts, []);
  });

  test("--dry-run of several previews those that can be cancelled, and ends with those that cannot", async () => {
    const words = ["ep_a", "a", "nobody", "--dry-run", "--exit-code"];
    const { called } = await cancelling({ a: "IN_QUEUE" }, words);
    assert.equal(called.status, 1);
    assert.match(called.stdout, /job\.status {2}IN_QUEUE → CANCELLED/);
    assert.match(String(errorOf(called)["error"]), /^1 of 2 jobs cannot be cancelled: nobody \(Cannot find/);
  });

  test("a load balancer endpoint is a usage error with nothing sent", async () => {
    const endpoint = endpointText({ type: "LOAD_BALANCER", requestUrls: {} });
    const { called, posts } = await cancelling({}, ["ep_a", "j1"], { endpoint });
    assert.equal(called.status, 2);
    assert.match(String(errorOf(called)["error"]), /load-balancer endpoint: no queue/);
    assert.deepEqual(posts, []);
  });

  test("ids that would leave their place in the path are usage errors", async () => {
    for (const id of ["..", "."]) {
      const { called, at } = await cancelling({}, ["ep_a", id]);
      assert.equal(called.status, 2, called.stderr);
      assert.deepEqual(at.invoked(), []);
    }
  });

  test("there is no cancel by age: an unknown flag, and never a purge in its place", async () => {
    const { called, at } = await cancelling({}, ["ep_a", "j1", "--older-than", "1h"]);
    assert.equal(called.status, 2);
    assert.deepEqual(at.arrivals, []);
  });
});
