import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Answer,
  BAD_GATEWAY,
  endpointText,
  inTurn,
  type Route,
  type Service,
  service,
} from "./_service.ts";
import { type Called, call, errorOf, temporaryFolder } from "./_spawn.ts";

function counts(inQueue: number, inProgress = 2): string {
  return JSON.stringify({ jobs: { inQueue, inProgress }, workers: { running: 2 } });
}

async function purging(
  args: readonly string[],
  changes: { health?: Route | Answer; purge?: Route | Answer; endpoint?: string } = {},
): Promise<{ called: Called; at: Service }> {
  const home = temporaryFolder();
  let purged = false;
  const at = await service(
    {
      "GET /ep_a/health": changes.health ?? (() => counts(purged ? 0 : 7)),
      "POST /ep_a/purge-queue":
        changes.purge ??
        (() => {
          purged = true;
          return '{"removed":7,"status":"completed"}';
        }),
    },
    changes.endpoint ? { "GET /v2/serverless/ep_a": changes.endpoint } : {},
  );
  try {
    const env = { ...at.env, HOME: home.path };
    return { called: await call(["serverless", "purge", "ep_a", ...args], { env }), at };
  } finally {
    await at.close();
    home.remove();
  }
}

describe("serverless purge", () => {
  test("--dry-run names the pending jobs, and says that it clears every one and that running jobs go on", async () => {
    const { called, at } = await purging(["--dry-run"]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stdout, /WARN clears all 7 pending jobs, not only bad ones; 2 running go on/);
    assert.match(called.stdout, /jobs\.inQueue {2}7 → 0/);
    assert.deepEqual(at.changes(), []);
  });

  test("--yes purges once, and reports what was removed, is left and is running, from a fresh read", async () => {
    const { called, at } = await purging(["--yes"]);
    assert.equal(called.status, 0, called.stderr);
    assert.match(called.stderr, /clears all 7 pending jobs/);
    assert.match(called.stdout, /^VERIFIED {2}img ep_a {2}Purge the queue of img \(7 pending\)$/m);
    assert.match(called.stdout, /^ {2}jobs\.inQueue {2}7 → 0$/m);
    assert.match(called.stdout, /^ {2}note: removed 7; left in queue 0; running 2$/m);
    assert.deepEqual(
      at.changes().map(({ path, body }) => [path, body]),
      [["/ep_a/purge-queue", ""]],
    );
  });

  test("--yes --json prints the counts as the result's value", async () => {
    const { called } = await purging(["--yes", "--json"]);
    assert.deepEqual(JSON.parse(called.stdout).value, { removed: 7, left: 0, running: 2 });
  });

  test("a count that lags is read again, within bounds", async () => {
    let reads = 0;
    const health: Route = () => counts(++reads < 6 ? 7 : 0);
    const { called, at } = await purging(["--yes"], { health });
    assert.equal(called.status, 0, called.stderr);
    assert.equal(at.changes().length, 1);
  });

  test("jobs that are left are reported, exit 5, and never purged again", async () => {
    let purged = false;
    const { called, at } = await purging(["--yes"], {
      health: () => counts(purged ? 3 : 7),
      purge: () => {
        purged = true;
        return '{"removed":7,"status":"completed"}';
      },
    });
    assert.equal(called.status, 5);
    assert.match(String(errorOf(called)["error"]), /3 in queue now \(submitted since, or not settled yet\)/);
    assert.match(called.stdout, /removed 7; left in queue 3; running 2/);
    assert.equal(at.changes().length, 1);
  });

  test("a purge without an answer is sent once; jobs that are left leave it unknown", async () => {
    const { called, at } = await purging(["--yes"], { health: () => counts(7), purge: BAD_GATEWAY });
    assert.equal(called.status, 5, called.stderr);
    const { error, details } = errorOf(called);
    assert.match(String(error), /may still arrive: do not send it again/);
    assert.equal((details as Record<string, unknown>)["submitted"], "unknown");
    assert.equal(at.changes().length, 1);
  });

  test("a rate limit of the proof's reads does not hold it up", async () => {
    const busy = { status: 429, body: "{}", headers: { "retry-after": "20" } };
    let purged = false;
    const startedMs = Date.now();
    const { called } = await purging(["--yes"], {
      health: () => (purged ? busy : counts(7)),
      purge: () => {
        purged = true;
        return '{"removed":7,"status":"completed"}';
      },
    });
    assert.equal(errorOf(called)["code"], "unverifiable");
    assert.ok(Date.now() - startedMs < 20_000);
  });

  test("without a terminal and without --yes nothing is sent, exit 3", async () => {
    const { called, at } = await purging([]);
    assert.equal(called.status, 3);
    assert.equal(errorOf(called)["code"], "not_confirmed");
    assert.equal(errorOf(called)["followUp"], "readback serverless purge ep_a --yes");
    assert.deepEqual(at.changes(), []);
  });

  test("a rate limit that turns it away is waited out under the same consent", async () => {
    const busy = { status: 429, body: '{"error":"too many requests"}' };
    const { called, at } = await purging(["--yes"], {
      health: inTurn(counts(7), counts(7), counts(7), counts(0)),
      purge: inTurn(busy, '{"removed":7,"status":"completed"}'),
    });
    assert.equal(called.status, 0, called.stderr);
    assert.equal(at.changes().length, 2);
  });

  test("a load balancer endpoint is a usage error with nothing sent", async () => {
    const endpoint = endpointText({ type: "LOAD_BALANCER", requestUrls: {} });
    const { called, at } = await purging(["--yes"], { endpoint });
    assert.equal(called.status, 2);
    assert.deepEqual(at.changes(), []);
  });
});
