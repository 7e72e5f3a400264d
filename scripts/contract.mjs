// Holds what the CLI sends and what the sandbox answers against the API's own document: a proxy between them validates
// both. The proxy and the document are not part of this repository; without them there is nothing to check.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./_folder.mjs";
import { ROOT, run } from "./_process.mjs";
import { start, stop } from "./_server.mjs";
import { programOf } from "./_suite.mjs";

const PROXY = resolve(ROOT, "../shared/tools/contract-proxy.mjs");
const CLI = [programOf("bun"), join(ROOT, "bin/readback.ts")];

/** What is run through the proxy, in this order, and the exit status that it must have. */
const CALLS = [
  [0, ["serverless", "list"]],
  [0, ["serverless", "get", "4m7x2k9q"]],
  [0, ["serverless", "get", "image-generator"]],
  [1, ["serverless", "get", "no-such-endpoint"]],
  [0, ["doctor"]],
  [0, ["run", "pin-gpu", "4m7x2k9q", "--gpu", "NVIDIA L40S", "--dry-run"]],
  [10, ["run", "pin-gpu", "image-generator", "--gpu", "L40S", "--dry-run", "--exit-code"]],
  [0, ["run", "pin-gpu", "image-generator", "--gpu", "NVIDIA L40S", "--yes", "--json"]],
  [0, ["run", "pin-gpu", "image-generator", "--gpu", "NVIDIA L40S", "--yes", "--json"]],
  [0, ["undo", "FIRST_RUN", "--yes", "--json"]],
  [0, ["run", "pin-gpu", "3p8n6v2d", "--gpu", "NVIDIA L40S", "--min-cuda", "12.4", "--yes", "--json"]],
  [0, ["run", "pin-gpu", "transcriber", "--gpu", "NVIDIA L40S", "--cuda", "12.8", "--yes", "--json"]],
  [2, ["run", "pin-gpu", "cpu-inference", "--gpu", "NVIDIA L40S", "--dry-run"]],
];

if (existsSync(PROXY)) await check();
else console.log("contract: ../shared is not there, nothing to check");

async function check() {
  const { path: home, remove } = temporaryFolder("contract");
  const box = start([...CLI, "sandbox", "--json"], { HOME: home });
  const { url, env } = JSON.parse(await box.firstLine);
  const proxy = start([process.execPath, PROXY, "--target", url], {});
  const through = JSON.parse(await proxy.firstLine).url;
  const overProxy = Object.entries(env).map(([name, value]) => [name, value.replace(url, through)]);
  const wrong = await makeCalls({ HOME: home, ...Object.fromEntries(overProxy) });
  const { lines } = await stop(proxy);
  const { status } = await stop(box);
  await remove();
  report(wrong, { summary: JSON.parse(lines.at(-1) ?? "{}"), sandboxStatus: status });
}

async function makeCalls(env) {
  let firstRun = "";
  let wrong = 0;
  for (const [expected, words] of CALLS) {
    const args = words.map((word) => (word === "FIRST_RUN" ? firstRun : word));
    const { status, output } = await run([...CLI, ...args], {
      env: { PATH: process.env.PATH, ...env },
      show: () => null,
    });
    firstRun ||= /"runId": "([^"]+)"/.exec(output)?.[1] ?? "";
    console.log(`contract: readback ${args.join(" ")} → ${status}`);
    if (status === expected) continue;
    wrong += 1;
    console.log(`contract: expected exit status ${expected}\n${output}`);
  }
  return wrong;
}

function report(wrong, { summary, sandboxStatus }) {
  const { requests = 0, validated = 0, violations = 1 } = summary;
  console.log(`contract: ${requests} requests, ${validated} validated, ${violations} violations`);
  if (sandboxStatus !== 0) console.log(`contract: the sandbox ended with ${sandboxStatus} on SIGTERM`);
  const failed = wrong + violations + (validated === 0 ? 1 : 0) + (sandboxStatus === 0 ? 0 : 1);
  if (failed > 0) process.exitCode = 1;
}
