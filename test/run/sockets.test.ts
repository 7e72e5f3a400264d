import assert from "node:assert/strict";
import { test } from "node:test";
import { exitStatus } from "../../lib/errors.ts";
import type { RunResult } from "../../lib/plan/result.ts";
import type { Verdict } from "../../lib/plan/verdict.ts";
import { type Fault, serve } from "../../lib/sandbox/mod.ts";
import { applyPin, bench } from "./_sandbox.ts";

// The same verdicts over real sockets, where a runtime could send a change again by itself. Waits move the sandbox's clock.

interface Applied {
  readonly result: RunResult;
  /** PATCH requests that arrived. */
  readonly arrived: number;
}

async function applyOverSockets(fault: Fault | null): Promise<Applied> {
  const at = bench();
  if (fault) at.box.faults.add(fault);
  const served = await serve(at.box);
  try {
    const { fetch: _, ...context } = at.context;
    const url = new URL(served.url);
    const target = {
      ...at.context.target,
      controlUrl: url.origin,
      invokeUrl: `${url.origin}/invoke/v2`,
      host: url.host,
    };
    const result = await applyPin({ ...at, context: { ...context, target } });
    return { result, arrived: at.box.requests.filter(({ method }) => method === "PATCH").length };
  } finally {
    await served.close();
  }
}

const on = { route: "patchEndpoint" } as const;
const set = { workers: { max: 3 } };

const CASES: readonly [string, Fault | null, Verdict, number][] = [
  ["nothing at fault", null, "verified", 0],
  ["a lying echo", { ...on, kind: "lying-echo" }, "not_applied", 5],
  ["other fields changed", { ...on, kind: "other-fields-changed", set }, "other_fields_changed", 5],
  [
    "a concurrent writer",
    { ...on, kind: "concurrent-writer", when: "after", set },
    "other_fields_changed",
    5,
  ],
  ["a lost reply", { ...on, kind: "lost-reply" }, "verified", 0],
  ["a reset before the effect", { ...on, kind: "reset" }, "not_applied", 5],
  ["a 500 after the effect", { ...on, kind: "commit-then-500" }, "verified", 0],
  ["delayed visibility", { ...on, kind: "delayed-visibility", reads: 2 }, "verified", 0],
  ["an answer that was cut", { ...on, kind: "cut-body" }, "verified", 0],
];

for (const [what, fault, verdict, exit] of CASES)
  test(`over sockets, ${what}: ${verdict}, exit ${exit}, and the change arrived once`, async () => {
    const { result, arrived } = await applyOverSockets(fault);
    assert.equal(result.applied[0]?.readBack?.verdict, verdict);
    assert.equal(result.error === null ? 0 : exitStatus(result.error.code), exit);
    assert.equal(arrived, 1);
  });
