import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import type { RunResult } from "../../lib/plan/result.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import type { RecipePlan } from "../../lib/run/recipe-plan.ts";
import bounceWorkers from "../../recipes/bounce-workers.ts";
import { type Bench, bench, loaded } from "../run/_sandbox.ts";

const ID = "4m7x2k9q";

async function plan(at: Bench, given: object = {}): Promise<RecipePlan> {
  return await planRecipe(loaded(bounceWorkers), { endpoint: ID, ...given }, at.context);
}

async function bounce(at: Bench, given: object = {}): Promise<RunResult> {
  return await applyPlan(await plan(at, given), at.context);
}

/** The same bench, with some requests answered by hand. */
function answering(at: Bench, answer: (request: Request) => Response | undefined): Bench {
  const fetch = async (request: Request) => answer(request) ?? (await at.box.fetch(request));
  return { ...at, context: { ...at.context, fetch } };
}

function bodies({ mutations }: RecipePlan): readonly string[] {
  return mutations.map(({ request }) => JSON.stringify(request.body));
}

function workersOf({ box }: Bench): { readonly min: number; readonly max: number } {
  const { min, max } = box.state.endpoints.get(ID)?.workers ?? { min: -1, max: -1 };
  return { min, max };
}

describe("bounce-workers", () => {
  test("sends the maximum to 0 and back, and nothing else", async () => {
    assert.deepEqual(bodies(await plan(bench())), ['{"workers":{"max":0}}', '{"workers":{"max":5}}']);
  });

  test("a minimum above 0 goes to 0 with it, and both come back", async () => {
    const at = bench();
    const endpoint = at.box.state.endpoints.get(ID);
    assert.ok(endpoint);
    endpoint.workers.min = 2;
    assert.deepEqual(bodies(await plan(at)), [
      '{"workers":{"min":0,"max":0}}',
      '{"workers":{"min":2,"max":5}}',
    ]);
    assert.equal((await bounce(at)).outcome, "applied");
    assert.deepEqual(workersOf(at), { min: 2, max: 5 });
  });

  test("states the outage and the jobs in progress, in the plan itself", async () => {
    const [stop] = (await plan(bench({ scenario: "busy-queue" }))).mutations;
    const outage = stop?.effects.find(({ code }) => code === "outage");
    assert.equal(outage?.level, "warn");
    assert.match(outage?.text ?? "", /no worker serves .*; now 2 in progress, which may be cut off; 11 in q/);
  });

  test("brings new workers, none of those that were there", async () => {
    const at = bench({ scenario: "busy-queue" });
    const idsOf = async () => {
      const headers = { authorization: `Bearer ${at.box.key}` };
      const reply = await at.box.fetch(
        new Request(`${at.box.origin}/v2/serverless/${ID}/workers`, { headers }),
      );
      const { workers } = (await reply.json()) as { workers: readonly { id: string }[] };
      return workers.map(({ id }) => id);
    };
    const old = await idsOf();
    assert.notEqual(old.length, 0);
    assert.equal((await bounce(at)).outcome, "applied");
    await at.box.clock.sleep(60_000);
    const now = await idsOf();
    assert.notEqual(now.length, 0);
    assert.deepEqual(
      now.filter((id) => old.includes(id)),
      [],
    );
  });

  test("a load balancer is refused before anything is sent, and bounced when told", async () => {
    const at = bench();
    await assert.rejects(plan(at, { endpoint: "chat-lb" }), (error) => {
      assert.ok(isReadbackError(error, "usage_error"));
      assert.match(error.message, /its requests would fail|whose requests would fail/);
      return true;
    });
    assert.ok(at.sent().every((line) => line.startsWith("GET ")));
    const result = await bounce(at, { endpoint: "chat-lb", allowLoadBalancer: true });
    assert.equal(result.outcome, "applied");
  });
});

describe("bounce-workers waits until none remain", () => {
  const LISTED = { id: "w1", status: "RUNNING", isStale: false, gpuCount: 1 };
  const list = (workers: readonly object[]) => Response.json({ workers, summary: {} });
  const health = (workers: object) => Response.json({ jobs: {}, workers });

  /** How many looks the wait took, with both reads answered by hand; the last answers go on. */
  async function looks(lists: readonly object[][], healths: readonly object[]) {
    const seen = { list: 0, health: 0 };
    const at = bench();
    const made = await plan(at);
    const answered = answering(at, (request) => {
      if (request.url.endsWith("/workers")) return list(lists[Math.min(seen.list++, lists.length - 1)] ?? []);
      if (!request.url.endsWith("/health")) return undefined;
      return health(healths[Math.min(seen.health++, healths.length - 1)] ?? {});
    });
    const result = await applyPlan(made, answered.context);
    return {
      outcome: result.outcome,
      code: result.error?.code ?? null,
      looks: seen.list,
      put: workersOf(at),
    };
  }

  test("counters that health leaves out are unknown, not 0: the list decides", async () => {
    assert.equal((await looks([[LISTED], [LISTED], []], [{}])).looks, 3);
  });

  test("workers that only health counts are waited for too: parked ones would come back as they are", async () => {
    // The first health read is the change's own.
    assert.equal((await looks([[]], [{}, { ready: 1 }, { ready: 1 }, { ready: 0 }])).looks, 3);
  });

  test("a throttled record that lingers holds nothing up", async () => {
    const leftover = { ...LISTED, status: "THROTTLED" };
    assert.equal((await looks([[leftover]], [{ throttled: 1 }])).looks, 1);
    assert.equal((await bounce(bench({ scenario: "throttled-leftover" }))).outcome, "applied");
  });

  test("health that cannot be read stops nothing", async () => {
    const at = bench();
    const made = await plan(at);
    const noHealth = answering(at, (request) =>
      request.url.endsWith("/health") ? new Response("<html>", { status: 200 }) : undefined,
    );
    assert.equal((await applyPlan(made, noHealth.context)).outcome, "applied");
  });

  test("a wait that fails puts the old values back, and says so", async () => {
    const { put, ...ended } = await looks([[LISTED]], [{}]);
    assert.deepEqual(put, { min: 0, max: 5 });
    assert.equal(ended.code, "wait_timeout");
  });

  test("a wait that is interrupted puts the old values back", async () => {
    const stop = new AbortController();
    const at = bench({}, stop.signal);
    const made = await plan(at);
    const stuck = answering(at, (request) => {
      if (!request.url.endsWith("/workers")) return undefined;
      stop.abort();
      return list([LISTED]);
    });
    const result = await applyPlan(made, stuck.context);
    assert.equal(result.outcome, "interrupted");
    assert.deepEqual(
      result.applied.map(({ status }) => status),
      ["applied", "applied"],
    );
    assert.deepEqual(workersOf(at), { min: 0, max: 5 });
  });

  test("the putting back rests on nothing but its own fields: another one's change of the image is left", async () => {
    const at = bench();
    const made = await plan(at);
    const changing = answering(at, (request) => {
      const endpoint = at.box.state.endpoints.get(ID);
      if (request.url.endsWith("/workers") && endpoint) endpoint.image = "acme/other:2";
      return undefined;
    });
    const result = await applyPlan(made, changing.context);
    assert.deepEqual(workersOf(at), { min: 0, max: 5 });
    assert.equal(result.applied[1]?.readBack?.verdict, "verified");
  });
});
