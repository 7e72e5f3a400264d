import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./_process.mjs";

/** @typedef {{ passed: number, failed: number }} Counts */

/** Where each runtime is, how it runs the suite, and how its report is read. */
const RUNTIMES = {
  bun: {
    program: join(ROOT, "node_modules/.bin/bun"),
    // A busy machine is no failure: nothing here measures time.
    args: (folder) => ["test", "--timeout", "120000", `./${folder}`],
    counts: (text) => [last(text, /^\s*(\d+) pass$/gm), last(text, /^\s*(\d+) fail$/gm)],
  },
  deno: {
    program: join(ROOT, ".ci/runtimes/deno/node_modules/.bin/deno"),
    args: (folder) => ["test", "-A", "--no-check", folder],
    // Deno counts what stands in a suite as its steps.
    counts: (text) => [deno(text, "passed"), deno(text, "failed")],
  },
  node: {
    program: join(ROOT, ".ci/runtimes/node/node_modules/.bin/node"),
    args: (folder) => ["--test", "--test-reporter=spec", `${folder}/**/*.test.ts`],
    counts: (text) => [last(text, /^ℹ pass (\d+)$/gm), last(text, /^ℹ (?:fail|cancelled) (\d+)$/gm, sum)],
  },
};

/** @typedef {keyof typeof RUNTIMES} Runtime */

/**
 * Runs the suite on one runtime. A run without a report, or one that says no to its own report, counts as one failure.
 *
 * @param {Runtime} runtime
 * @param {{ folder?: string }} [options]
 * @returns {Promise<Counts>}
 */
export async function runSuite(runtime, { folder = "test" } = {}) {
  const { program, args, counts } = RUNTIMES[runtime];
  if (!existsSync(program)) {
    console.log(`${runtime}: ${program} is missing; node scripts/runtimes.mjs installs it`);
    return { passed: 0, failed: 1 };
  }
  console.log(`\n== tests on ${runtime}`);
  const { status, output } = await run([program, ...args(folder)], { env: quietEnv() });
  const [passed, failed] = counts(output.replace(/\u001b\[[0-9;]*m/g, ""));
  const complete = passed !== null && passed > 0 && (status === 0) === ((failed ?? 0) === 0);
  const result = { passed: passed ?? 0, failed: (failed ?? 0) + (complete ? 0 : 1) };
  if (!complete) console.log(`${runtime}: exit status ${status} with ${passed ?? "no"} tests passed`);
  console.log(`tests on ${runtime}: ${result.passed} passed and ${result.failed} failed`);
  return result;
}

/** Where a runtime's program is. @param {Runtime} runtime */
export function programOf(runtime) {
  return RUNTIMES[runtime].program;
}

/** True when there is at least one test in a folder. @param {string} folder */
export function hasTests(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true }).some((name) =>
    String(name).endsWith(".test.ts"),
  );
}

function quietEnv() {
  const { FORCE_COLOR: _color, ...env } = process.env;
  return { ...env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
}

function deno(text, word) {
  const pattern = new RegExp(`\\| (\\d+) ${word}(?: \\((\\d+) steps?\\))?`, "g");
  const found = [...text.matchAll(pattern)].at(-1);
  return found === undefined ? null : Number(found[1]) + Number(found[2] ?? 0);
}

function last(text, pattern, pick = (values) => values.at(-1) ?? null) {
  return pick([...text.matchAll(pattern)].map((match) => Number(match[1])));
}

function sum(values) {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}
