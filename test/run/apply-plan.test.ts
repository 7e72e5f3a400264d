import assert from "node:assert/strict";
import { test } from "node:test";
import { exitStatus } from "../../lib/errors.ts";
import { closingText } from "../../lib/plan/closing.ts";
import { applyPlan } from "../../lib/run/apply-plan.ts";
import { applyPin, bench, pin, planPin } from "./_sandbox.ts";

const PATCH = "PATCH /v2/serverless/4m7x2k9q";
const GET = "GET /v2/serverless/4m7x2k9q";

test("an apply reads afresh, sends exactly the planned bytes once, and reads back", async () => {
  const at = bench();
  const plan = await planPin(at, { ...pin, endpoint: "image-generator" });
  const before = at.box.requests.length;
  const result = await applyPlan(plan, at.context);
  assert.equal(result.outcome, "applied");
  assert.deepEqual(at.sent().slice(before), [GET, PATCH, GET]);
  const sent = at.box.requests.find(({ method }) => method === "PATCH");
  assert.equal(sent?.body, JSON.stringify(plan.mutations[0]?.request.body));
  assert.equal(result.applied[0]?.readBack?.verdict, "verified");
});

test("by name the whole takes at most 6 GETs and 1 PATCH, the plan at most 4 GETs", async () => {
  const at = bench();
  const plan = await planPin(at, { ...pin, endpoint: "image-generator" });
  assert.ok(plan.reads <= 4, `${plan.reads} reads`);
  assert.equal(plan.reads, at.box.requests.length);
  await applyPlan(plan, at.context);
  assert.ok(at.sent().filter((line) => line.startsWith("GET")).length <= 6);
  assert.equal(at.sent().filter((line) => line.startsWith("PATCH")).length, 1);
});

test("a second run finds nothing to do and sends no change", async () => {
  const at = bench();
  await applyPin(at);
  const before = at.box.requests.length;
  const result = await applyPin(at);
  assert.equal(result.outcome, "unchanged");
  assert.equal(
    at
      .sent()
      .slice(before)
      .some((line) => !line.startsWith("GET")),
    false,
  );
  assert.equal(result.recorded, false);
});

test("a lying echo is not_applied: exit 5, and the change is never sent again", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "lying-echo" });
  const result = await applyPin(at);
  assert.equal(result.outcome, "unverified");
  assert.equal(result.error?.code, "not_applied");
  assert.equal(at.sent().filter((line) => line === PATCH).length, 1);
});

test("delayed visibility ends as verified", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "delayed-visibility", reads: 3 });
  const result = await applyPin(at);
  assert.equal(result.outcome, "applied");
  assert.equal(result.applied[0]?.readBack?.reads, 4);
});

test("other fields that moved are listed, with the newest releases, and nothing is put back", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "other-fields-changed", set: { workers: { max: 3 } } });
  const result = await applyPin(at);
  assert.equal(result.error?.code, "other_fields_changed");
  assert.deepEqual(
    result.applied[0]?.readBack?.otherFields.map(({ path }) => path),
    ["workers.max"],
  );
  assert.ok(Array.isArray(result.applied[0]?.readBack?.by));
  assert.equal(at.sent().filter((line) => line === PATCH).length, 1);
});

test("a concurrent writer of another field is other_fields_changed, of the same field wrong_value", async () => {
  const other = bench();
  other.box.faults.add({
    route: "patchEndpoint",
    kind: "concurrent-writer",
    when: "after",
    set: { image: "acme/w:v9" },
  });
  assert.equal((await applyPin(other)).error?.code, "other_fields_changed");
  const same = bench();
  const set = { gpu: { pools: ["AMPERE_24"], excludedTypes: [] } };
  same.box.faults.add({ route: "patchEndpoint", kind: "concurrent-writer", when: "after", set });
  const result = await applyPin(same);
  assert.equal(result.error?.code, "wrong_value");
  assert.equal(exitStatus(result.error?.code ?? "api_error"), 5);
});

test("a lost reply that took effect ends as verified, and the change arrived once", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "lost-reply" });
  const result = await applyPin(at);
  assert.equal(result.outcome, "applied");
  assert.match(result.applied[0]?.notes[0] ?? "", /the change is in effect/);
  assert.equal(at.sent().filter((line) => line === PATCH).length, 1);
});

test("a 500 after the commit ends as verified, and the change is not sent again", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "commit-then-500" });
  assert.equal((await applyPin(at)).outcome, "applied");
  assert.equal(at.sent().filter((line) => line === PATCH).length, 1);
});

test("a reset before it took effect is not_applied with submitted unknown, exit 5", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "reset" });
  const { error, applied } = await applyPin(at);
  assert.equal(error?.code, "not_applied");
  assert.equal(error?.details["submitted"], "unknown");
  assert.equal(error?.retryable, false);
  assert.equal(applied[0]?.status, "unknown");
  assert.equal(at.sent().filter((line) => line === PATCH).length, 1);
});

test("without a readable read-back the verdict is unverifiable", async () => {
  const at = bench();
  const plan = await planPin(at);
  at.box.faults.add({ route: "readEndpoint", kind: "status", status: 503, after: 1 });
  const result = await applyPlan(plan, at.context);
  assert.equal(result.error?.code, "unverifiable");
  assert.equal(exitStatus("unverifiable"), 5);
});

test("a refusal of the service is its own error, and nothing is claimed", async () => {
  const at = bench();
  at.box.faults.add({ route: "patchEndpoint", kind: "status", status: 403 });
  const result = await applyPin(at);
  assert.equal(result.outcome, "failed");
  assert.equal(result.error?.code, "forbidden");
  assert.equal(result.applied[0]?.status, "failed");
});

test("a refusal is no proof either: one fresh read shows that the change is in effect", async () => {
  const at = bench();
  const plan = await planPin(at);
  const fetch = async (request: Request): Promise<Response> => {
    const response = await at.box.fetch(request);
    return request.method === "PATCH" ? new Response("{}", { status: 401 }) : response;
  };
  const result = await applyPlan(plan, { ...at.context, fetch });
  assert.equal(result.outcome, "applied");
  assert.match(result.applied[0]?.notes[0] ?? "", /was a refusal .* but the change is in effect/);
});

test("what could not be read is not shown as read", async () => {
  const at = bench();
  const plan = await planPin(at);
  at.box.faults.add({ route: "readEndpoint", kind: "status", status: 503, after: 1 });
  const text = closingText(await applyPlan(plan, at.context));
  assert.match(text, /gpu\.pools {10}ADA_24 → not read \(asked: ADA_48_PRO\)/);
  assert.match(text, /compared: nothing; none of 7 fresh reads could be used/);
});

test("a field the change rests on that moved since the plan is drift, exit 4, and nothing is sent", async () => {
  const at = bench();
  const plan = await planPin(at);
  setEndpoint(at, { dataCenterIds: ["EU-RO-1"] });
  const result = await applyPlan(plan, at.context);
  assert.equal(result.error?.code, "drift");
  assert.equal(result.outcome, "refused");
  assert.match(result.error?.message ?? "", /dataCenterIds was \["US-KS-2"\], is \["EU-RO-1"\]/);
  assert.equal(at.sent().includes(PATCH), false);
});

test("other movement since the plan is accepted, shown, and not taken for an effect of the change", async () => {
  const at = bench();
  const plan = await planPin(at);
  setEndpoint(at, { timeout: 900_000 });
  const result = await applyPlan(plan, at.context);
  assert.equal(result.outcome, "applied");
  assert.deepEqual(
    result.applied[0]?.movedSincePlan.map(({ path }) => path),
    ["timeout"],
  );
});

test("every step of a run is written down before it happens", async () => {
  const at = bench();
  await applyPin(at);
  assert.deepEqual(
    at.journal.map(({ event }) => event),
    ["planned", "sent", "answered", "verified", "finished"],
  );
});

test("what cannot be written down is not sent", async () => {
  const at = bench();
  const plan = await planPin(at);
  const startJournal = async () => ({
    append: async () => {
      throw new Error("disk full");
    },
    close: async () => {},
  });
  await assert.rejects(applyPlan(plan, { ...at.context, startJournal }), /disk full/);
  assert.equal(at.sent().includes(PATCH), false);
});

function setEndpoint(at: ReturnType<typeof bench>, changes: object): void {
  const endpoint = at.box.state.endpoints.get("4m7x2k9q");
  assert.ok(endpoint);
  Object.assign(endpoint, changes);
}
