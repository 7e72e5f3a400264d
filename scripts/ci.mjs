// Everything that CI checks after `npm ci`: the gate, the suite on Deno and Node 24, the contract,
// other clients of Runpod, the package. One closing line.
import { run } from "./_process.mjs";

const STEPS = [
  ["npm test", ["npm", "test"]],
  ["runtimes", ["node", "scripts/runtimes.mjs"]],
  ["tests on Deno and Node 24", ["node", "scripts/suite.mjs", "deno", "node"]],
  ["contract", ["node", "scripts/contract.mjs"]],
  ["clients", ["node", "scripts/clients.mjs"]],
  ["package", ["node", "scripts/package.mjs"]],
  ["completions in a terminal", ["node", "scripts/completions.mjs"]],
];
const CLOSING = /^(\d+) passed, (\d+) failed$/;

const total = { passed: 0, failed: 0 };
for (const [name, command] of STEPS) {
  const counts = { passed: 0, failed: 0 };
  // The closing lines of the steps are told under their name: the last line is the only one of its form.
  const show = (line) => {
    const [, passed, failed] = CLOSING.exec(line) ?? [];
    if (passed === undefined) return line;
    counts.passed += Number(passed);
    counts.failed += Number(failed);
    return `${name}: ${passed} passed and ${failed} failed`;
  };
  const { status } = await run(command, { show });
  if (status !== 0) console.log(`${name}: exit status ${status}`);
  total.passed += counts.passed;
  total.failed += status !== 0 && counts.failed === 0 ? 1 : counts.failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
