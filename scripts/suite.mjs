// Runs the suite on the runtimes named as arguments: bun, deno, node.
import { runSuite } from "./_suite.mjs";

const total = { passed: 0, failed: 0 };
for (const runtime of process.argv.slice(2)) {
  const { passed, failed } = await runSuite(runtime);
  total.passed += passed;
  total.failed += failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
