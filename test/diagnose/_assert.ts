import assert from "node:assert/strict";
import type { Document } from "../../lib/diagnose/document.ts";
import type { Diagnosed, Expected, World } from "./_world.ts";

/** Asserts what a world says of its diagnosis. */
export function assertAsExpected(document: Document, expect: Expected): void {
  const causes = document.findings.map((finding) => finding.cause);
  if (expect.first !== undefined) assert.equal(causes[0] ?? null, expect.first, told(document));
  if (expect.causes !== undefined) assert.deepEqual(causes, expect.causes, told(document));
  if (expect.verdict !== undefined) assert.equal(document.verdict, expect.verdict, told(document));
  const [first] = document.findings;
  for (const wanted of expect.evidence ?? []) {
    const found = (first?.evidence ?? []).some((entry) =>
      Object.entries(wanted).every(
        ([key, value]) => JSON.stringify(Reflect.get(entry, key)) === JSON.stringify(value),
      ),
    );
    assert.ok(found, `no evidence ${JSON.stringify(wanted)}\n${told(document)}`);
  }
  if (expect.commands !== undefined) assert.deepEqual(commandsOf(document), expect.commands, told(document));
  for (const wanted of expect.ruledOut ?? [])
    assert.ok(
      document.ruledOut.some(({ cause: other }) => other === wanted),
      `${wanted} is not ruled out\n${told(document)}`,
    );
}

function commandsOf({ findings }: Document): readonly string[] {
  return (findings[0]?.recommendations ?? []).flatMap(({ command }) => (command === null ? [] : [command]));
}

/** Asserts what holds for every diagnosis. */
export function assertRules({ document, requests, said }: Diagnosed, world: World): void {
  assert.deepEqual(
    requests.filter((request) => !request.startsWith("GET ")),
    [],
  );
  if (world.expect.requests !== undefined) assert.equal(requests.length, world.expect.requests);
  assert.doesNotMatch(JSON.stringify(document), /\b(probably|likely|maybe|perhaps)\b/i);
  assert.doesNotMatch(JSON.stringify(document), /hf_OLD/);
  assertNumbers(document, said);
  assertCommands(document);
  assertScalingAdvice(document);
  if (document.verdict === "unclear") assert.ok(document.unsettled.length > 0, told(document));
  const found = document.findings.map(({ cause }) => cause);
  assert.deepEqual(
    document.ruledOut.filter(({ cause }) => found.includes(cause)),
    [],
    "a cause is found and ruled out",
  );
}

/** Each number that a finding states is in its evidence; each that rules out was read. */
function assertNumbers({ findings, ruledOut }: Document, said: string): void {
  for (const { summary, evidence, recommendations } of findings) {
    const known = numbersIn(JSON.stringify(evidence), /\d+(\.\d+)?/g);
    const text = [summary, ...recommendations.map((recommendation) => recommendation.text)].join("\n");
    for (const number of numbersIn(text))
      assert.ok(known.has(number), `${number} is not in the evidence of: ${text}`);
  }
  const read = numbersIn(said, /\d+(\.\d+)?/g);
  for (const { because } of ruledOut)
    for (const number of numbersIn(because))
      assert.ok(read.has(number), `${number} was not read: ${because}`);
}

/** Numbers that stand alone: not in names such as L40S or v3, nor in versions such as 1.10.0. */
function numbersIn(text: string, pattern = /(?<![\w.-])\d+(\.\d+)?(?![\w-]|\.\d)/g): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(([number]) => number));
}

const COMMANDS = [
  /^readback run pin-gpu \S+ --gpu ("[^"]+"|\S+)( --min-cuda \d+\.\d+)?$/,
  /^readback run bounce-workers \S+$/,
  /^readback run cold-start-tune \S+ --(flashboot on|idle-timeout \d+s|workers-min 1)$/,
  /^readback serverless update \S+ --(workers-max|disk|pools|ports|min-cuda|cuda) \S+$/,
  /^readback serverless update \S+ --clear-data-center-ids$/,
  /^readback serverless update \S+ --scale-by (delay|requests) --scale-threshold \d+$/,
  /^readback serverless cancel \S+ [\w-]+$/,
];

/** Only commands that exist are given. */
function assertCommands(document: Document): void {
  for (const { recommendations } of document.findings)
    for (const { command } of recommendations)
      if (command !== null)
        assert.ok(
          COMMANDS.some((known) => known.test(command)),
          command,
        );
}

const NO_SCALING = [
  ...["crash_loop", "out_of_memory", "missing_model_or_module", "gated_model", "disk_full", "image_pull"],
  ...["registry_auth", "load_balancer_unready"],
];

/** Scaling helps no container that does not run, and a higher limit no worker that waits for a host. */
function assertScalingAdvice({ findings }: Document): void {
  for (const { cause, recommendations } of findings) {
    const advice = recommendations.map(({ text, command }) => `${text} ${command ?? ""}`).join("\n");
    if (NO_SCALING.includes(cause)) assert.doesNotMatch(advice, /workers[.-](max|min)|scale-|scaler/i);
    if (cause === "capacity") assert.doesNotMatch(advice, /workers[.-]max|higher max/i);
  }
}

/** The document, for the message of an assertion. */
export function told(document: Document): string {
  return JSON.stringify(document, null, 1);
}
