// Start-up: `readback serverless get` against a loopback server, over a bare Bun script that makes the same request.
// Both are measured in one run, in turn, and compared by their medians.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, serve } from "../lib/sandbox/mod.ts";
import { benchLogs } from "./bench-logs.ts";

const ROUNDS = 41;
const WARM_UP = 3;
const HIGHEST_RATIO = 3;
const CLI = new URL("../bin/readback.ts", import.meta.url).pathname;

const served = await serve(createSandbox());
const folder = mkdtempSync(join(tmpdir(), "readback-bench-"));
const bare = join(folder, "bare.ts");
writeFileSync(bare, bareScript());
const env = { ...served.env, PATH: process.env.PATH ?? "", HOME: folder };

const times: { readonly readback: number[]; readonly bare: number[] } = { readback: [], bare: [] };
for (let round = -WARM_UP; round < ROUNDS; round++) {
  const readback = await timeMs([process.execPath, CLI, "serverless", "get", "4m7x2k9q"]);
  const alone = await timeMs([process.execPath, bare]);
  if (round < 0) continue;
  times.readback.push(readback);
  times.bare.push(alone);
}
await served.close();
rmSync(folder, { recursive: true });

const ratio = median(times.readback) / median(times.bare);
const fine = ratio <= HIGHEST_RATIO;
console.log(`readback serverless get  ${median(times.readback).toFixed(1)} ms`);
console.log(`bare Bun, same request   ${median(times.bare).toFixed(1)} ms`);
console.log(`ratio ${ratio.toFixed(2)}, at most ${HIGHEST_RATIO}: ${fine ? "fine" : "too slow"}`);
const logsAreFine = await benchLogs();
process.exitCode = fine && logsAreFine ? 0 : 1;

/** In milliseconds, from the start of the process to its end. */
async function timeMs(command: string[]): Promise<number> {
  const start = performance.now();
  const child = Bun.spawn(command, { env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const [text, status] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (status !== 0 || !text.includes("4m7x2k9q"))
    throw new Error(`${command.join(" ")} ended with ${status}`);
  return performance.now() - start;
}

function bareScript(): string {
  return `const response = await fetch(process.env.RUNPOD_API_BASE_URL + "/v2/serverless/4m7x2k9q", {
  headers: { authorization: "Bearer " + process.env.RUNPOD_API_KEY },
});
console.log(await response.text());
`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
