import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { cleanText } from "../../lib/diagnose/clean.ts";
import { diagnosisText } from "../../lib/diagnose/text.ts";
import { plain } from "../../lib/plan/paint.ts";
import { diagnoseWorld, type World, worldFiles } from "./_world.ts";

// READBACK_UPDATE_GOLDEN=1 writes the files anew.
const UPDATE = process.env["READBACK_UPDATE_GOLDEN"] === "1";
const ONE_SCREEN = 32;

describe("a diagnosis as text", () => {
  for (const [name, world] of Object.entries(shownWorlds()))
    test(`of ${name} is as in test/golden/diagnosis-${name}.txt`, async () => {
      const text = `${diagnosisText((await diagnoseWorld(world)).document, plain)}\n`;
      const file = new URL(`../golden/diagnosis-${name}.txt`, import.meta.url);
      if (UPDATE) writeFileSync(file, text);
      assert.equal(text, readFileSync(file, "utf8"));
    });

  test("fits one screen, whatever the world", async () => {
    for (const { is, isNot } of worldFiles().values())
      for (const world of [...is, ...isNot]) {
        const text = diagnosisText((await diagnoseWorld(world)).document, plain);
        const lines = text.split("\n").length;
        assert.ok(lines <= ONE_SCREEN, `${world.title}: ${lines} lines\n${text}`);
      }
  });

  test("shows control characters of names and log lines instead of obeying them", async () => {
    const line = "ModuleNotFoundError: No module named 'x'\u001b[2J\u202e\r\u0007";
    const { document } = await diagnoseWorld({
      title: "",
      endpoint: { name: "img\u001b]0;gone\u0007" },
      health: [{ jobs: { inQueue: 1 }, workers: { running: 1 } }],
      workers: [{ id: "w1", status: "RUNNING" }],
      logs: { w1: [`C 17:48:00 ${line}`] },
      expect: {},
    });
    const text = diagnosisText(document, plain);
    assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
    assert.match(text, /img\\u\{1b\}\]0;gone/);
    const [evidence] = document.findings[0]?.evidence ?? [];
    assert.equal(evidence !== undefined && "line" in evidence && evidence.line, line);
  });
});

test("cleanText() cuts a long text, and says so", () => {
  assert.equal(cleanText("x".repeat(300), 10), `${"x".repeat(10)}…`);
  assert.equal(cleanText("a\nb\u2028c"), "a\\u{a}b\\u{2028}c");
});

function shownWorlds(): Readonly<Record<string, World>> {
  const of = (cause: string, title: RegExp, list: "is" | "isNot" = "is"): World => {
    const found = worldFiles()
      .get(cause)
      ?.[list].find((world) => title.test(world.title));
    if (found === undefined) throw new Error(`no world ${title} of ${cause}`);
    return found;
  };
  return {
    healthy: { title: "", expect: {} },
    "crash-loop": of("crash_loop", /RUNNING and THROTTLED/),
    "worker-limit": of("worker_limit", /all five/),
    unclear: of("not_dispatching", /log cannot be read/, "isNot"),
  };
}
