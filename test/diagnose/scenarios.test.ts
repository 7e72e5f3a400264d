import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Document } from "../../lib/diagnose/document.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import { listScenarios, type Sandbox, serve } from "../../lib/sandbox/mod.ts";
import diagnose from "../../recipes/diagnose.ts";
import { programCommand } from "../cli/_spawn.ts";
import { type Bench, bench, loaded } from "../run/_sandbox.ts";
import { told } from "./_assert.ts";

const QUEUE = "4m7x2k9q";
const BALANCER = "9k2w5t1r";

/** Per scenario: every cause that the diagnosis names, the first one first. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  healthy: [],
  "worker-limit": ["worker_limit"],
  "idle-3d": ["idle_scale_down"],
  "long-idle": ["idle_scale_down"],
  cold: ["cold_start"],
  "busy-queue": ["worker_limit"],
  "slow-scaler": ["slow_scaler"],
  "ready-not-dispatching": ["not_dispatching"],
  throttled: ["capacity"],
  "throttled-leftover": ["throttled_leftover"],
  rollout: ["rollout_in_progress"],
  "job-fails": ["poison_job"],
  "bad-payload": ["bad_payload"],
  "crash-loop": ["crash_loop"],
  "crash-loop-silent": ["crash_loop"],
  "no-space": ["crash_loop"],
  "disk-full": ["disk_full"],
  oom: ["out_of_memory"],
  "gated-model": ["gated_model"],
  "missing-module": ["missing_model_or_module"],
  "cuda-floor": ["cuda_constraint"],
  "cuda-unmet": ["cuda_constraint"],
  "image-pull": ["image_pull"],
  "registry-auth": ["registry_auth"],
  "lb-unready": ["load_balancer_unready"],
  poison: ["poison_job"],
  "sdk-job-funnel": ["sdk_job_funnel"],
  "account-quota": ["account_quota", "worker_limit"],
  "crash-loop-in-rollout": ["crash_loop", "rollout_in_progress"],
  "throttled-at-limit": ["capacity"],
};

/** How many ways to clear it by a command the first finding gives; none where only a person can do it. */
const COMMANDS: Readonly<Record<string, number>> = {
  ...{ "worker-limit": 1, "idle-3d": 1, "long-idle": 1, "busy-queue": 1, "slow-scaler": 2, cold: 2 },
  ...{ "ready-not-dispatching": 1, throttled: 2, "throttled-at-limit": 2, "no-space": 1, "disk-full": 1 },
  ...{ oom: 1, "cuda-floor": 1, "cuda-unmet": 1, "lb-unready": 1, poison: 1 },
};
/** Seconds after which a command has done its work; the backlog of busy-queue takes longer. */
const WAIT_SECONDS = 90;
const LONGER_SECONDS: Readonly<Record<string, number>> = { "busy-queue": 200 };
/** Causes that pass in that time by themselves: a worker comes up, a job is given up. */
const PASSING = ["cold", "poison"];

describe("in the sandbox, the diagnosis", () => {
  test("is tried on every scenario", () => {
    assert.deepEqual(Object.keys(CAUSES).sort(), [...listScenarios().map(({ name }) => name)].sort());
  });

  for (const [scenario, causes] of Object.entries(CAUSES)) {
    test(`names ${causes[0] ?? "nothing"} in ${scenario}, changes nothing, and says the same again`, async () => {
      const at = bench({ scenario });
      const document = await diagnosisOf(at, scenario);
      assert.deepEqual(
        document.findings.map(({ cause }) => cause),
        causes,
        told(document),
      );
      assert.deepEqual(
        at.box.requests.filter(({ method }) => method !== "GET"),
        [],
      );
      assert.equal(pastesOf(document).length, COMMANDS[scenario] ?? 0, told(document));
      assert.deepEqual(await diagnosisOf(bench({ scenario }), scenario), document);
    });
  }
});

describe("the command that a diagnosis recommends, pasted,", () => {
  for (const [scenario, count] of Object.entries(COMMANDS))
    for (let i = 0; i < count; i++)
      test(`clears the cause of ${scenario} (${i + 1} of ${count})`, async () => {
        const at = bench({ scenario, speed: 10 });
        const served = await serve(at.box);
        const home = mkdtempSync(join(tmpdir(), "readback-paste-"));
        try {
          const before = await diagnosisOf(at, scenario);
          for (const command of pastesOf(before)[i] ?? [])
            await paste(command, { ...served.env, HOME: home });
          await assertCleared(at, scenario, before);
        } finally {
          await served.close();
          rmSync(home, { recursive: true });
        }
      });

  for (const scenario of Object.keys(COMMANDS).filter((name) => !PASSING.includes(name)))
    test(`is what clears ${scenario}: time alone does not`, async () => {
      const at = bench({ scenario });
      const before = await diagnosisOf(at, scenario);
      at.box.clock.advance(waitMs(scenario));
      const after = await diagnosisOf(at, scenario);
      assert.equal(after.findings[0]?.cause, before.findings[0]?.cause, told(after));
    });
});

async function assertCleared(at: Bench, scenario: string, before: Document): Promise<void> {
  at.box.clock.advance(waitMs(scenario));
  const after = await diagnosisOf(at, scenario);
  const cause = before.findings[0]?.cause;
  assert.ok(!after.findings.some((finding) => finding.cause === cause), told(after));
}

function waitMs(scenario: string): number {
  return (LONGER_SECONDS[scenario] ?? WAIT_SECONDS) * 1000;
}

async function diagnosisOf(at: Bench, scenario: string): Promise<Document> {
  const endpoint = scenario === "lb-unready" ? BALANCER : QUEUE;
  const job = scenario === "job-fails" ? { job: firstJob(at.box) } : {};
  return (await planRecipe(loaded(diagnose), { endpoint, ...job }, at.context)).value as Document;
}

function firstJob(box: Sandbox): string {
  return [...(box.state.fleets.get(QUEUE)?.jobs.keys() ?? [])][0] ?? "";
}

/** What is pasted in one go: a command, and the one that goes on with it. */
function pastesOf({ findings }: Document): readonly (readonly string[])[] {
  const pastes: string[][] = [];
  for (const { text, command } of findings[0]?.recommendations ?? [])
    if (command !== null && text.startsWith("Then ")) pastes.at(-1)?.push(command);
    else if (command !== null) pastes.push([command]);
  return pastes;
}

/** Gives the command to a shell in which `readback` is the program on this runtime. */
async function paste(command: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { program, before, env: base } = programCommand([]);
  const words = [program, ...before].map((word) => `'${word}'`).join(" ");
  const child = spawn("sh", ["-c", `readback() { ${words} "$@"; }\n${command} --yes`], {
    cwd: tmpdir(),
    env: { ...base, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)));
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0, `${command}\n${output}`);
}
