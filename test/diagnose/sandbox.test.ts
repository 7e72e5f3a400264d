import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Document } from "../../lib/diagnose/document.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import { createSandbox, type Sandbox, serve } from "../../lib/sandbox/mod.ts";
import diagnose from "../../recipes/diagnose.ts";
import { call } from "../cli/_spawn.ts";
import { told } from "./_assert.ts";

const ID = "4m7x2k9q";
const loaded = { recipe: diagnose, source: "built-in", digest: "sha256:0" };

/** Scenario → the cause that must come first, and the verdict. */
const SCENARIOS: Readonly<Record<string, readonly [string | null, string]>> = {
  healthy: [null, "healthy"],
  cold: ["cold_start", "healthy"],
  throttled: ["capacity", "problem"],
  "throttled-leftover": ["throttled_leftover", "healthy"],
  "worker-limit": ["worker_limit", "problem"],
  "busy-queue": ["worker_limit", "problem"],
  "slow-scaler": ["slow_scaler", "problem"],
  "ready-not-dispatching": ["not_dispatching", "problem"],
  "bad-payload": ["bad_payload", "problem"],
  rollout: ["rollout_in_progress", "healthy"],
};

/** Those whose cause a command clears. */
const CLEARED = ["throttled", "worker-limit", "busy-queue", "slow-scaler"];

async function diagnoseBox(box: Sandbox): Promise<Document> {
  const target = {
    controlUrl: box.origin,
    invokeUrl: `${box.origin}/invoke/v2`,
    host: new URL(box.origin).host,
    ...{ key: box.key, readKey: box.key, keySource: "sandbox", timeoutMs: 30_000 },
  };
  const fetch = (request: Request): Promise<Response> => box.fetch(request);
  const context = { target, clock: box.clock, signal: new AbortController().signal, fetch };
  return (await planRecipe(loaded, { endpoint: ID }, context)).value as Document;
}

describe("diagnose in the sandbox", () => {
  for (const [scenario, [first, verdict]] of Object.entries(SCENARIOS))
    test(`${scenario}: ${first ?? "nothing is wrong"}, by GETs alone`, async () => {
      const box = createSandbox({ scenario });
      const document = await diagnoseBox(box);
      assert.equal(document.findings[0]?.cause ?? null, first, told(document));
      assert.equal(document.verdict, verdict, told(document));
      assert.ok(box.requests.every(({ method }) => method === "GET"));
      if (first === null) assert.equal(box.requests.length, 3);
    });

  for (const scenario of CLEARED)
    test(`${scenario}: each command that is given first clears the cause, pasted`, async () => {
      const [first] = (await diagnoseBox(createSandbox({ scenario }))).findings;
      const commands = (first?.recommendations ?? []).flatMap(({ command }) => command ?? []);
      assert.ok(commands.length > 0);
      for (const command of commands) {
        const box = createSandbox({ scenario, speed: 60 });
        const served = await serve(box);
        try {
          const words = command.split(" ").slice(1); // none of these has a word with a space
          const pasted = await call([...words, "--yes"], { env: served.env });
          assert.equal(pasted.status, 0, `${command}\n${pasted.stderr}`);
          box.clock.advance(300_000);
          const after = await diagnoseBox(box);
          assert.notEqual(after.findings[0]?.cause, first?.cause, `${command}\n${told(after)}`);
        } finally {
          await served.close();
        }
      }
    });
});
