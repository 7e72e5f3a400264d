// The whole gate on Bun: format and lint, types and type tests, import directions and all other tests.
// Runs under Node 20, so that a machine with npm and nothing else can run it.
import { join } from "node:path";
import { ROOT, run } from "./_process.mjs";
import { runSuite } from "./_suite.mjs";

const STAGES = [
  ["format and lint", ["biome", "check", "--error-on-warnings", "."]],
  ["types and type tests", ["tsc", "--noEmit"]],
];

let broken = 0;
for (const [name, [program, ...args]] of STAGES) {
  console.log(`\n== ${name}`);
  const { status } = await run([join(ROOT, "node_modules/.bin", program), ...args]);
  console.log(`${name}: ${status === 0 ? "fine" : `not fine, exit status ${status}`}`);
  if (status !== 0) broken += 1;
}
const { passed, failed } = await runSuite("bun");
// A stage that is not fine counts as one failure.
console.log(`\n${passed} passed, ${failed + broken} failed`);
process.exitCode = failed + broken === 0 ? 0 : 1;
