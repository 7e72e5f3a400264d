// Uses the sandbox with the clients that people have: Runpod's JavaScript SDK and its MCP server, as they are on npm,
// installed for this check alone. They know nothing of the sandbox but its address.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createChecks } from "./_checks.mjs";
import { temporaryFolder } from "./_folder.mjs";
import { openMcp } from "./_mcp.mjs";
import { ROOT, run } from "./_process.mjs";
import { start, stop } from "./_server.mjs";
import { programOf } from "./_suite.mjs";

const CLIENTS = { "runpod-sdk": "1.1.2", "@runpod/mcp-server": "4.0.0" };
const FOLDER = join(ROOT, ".ci/runtimes/clients");
const SDK = join(FOLDER, "node_modules/runpod-sdk/dist/src/index.js");
const MCP = join(FOLDER, "node_modules/.bin/runpod-mcp");
const SDK_CALLS = 12;
/** Together below 90 s: an installation, and a sandbox for each of the two. */
const LIMITS_MS = { install: 40_000, sdk: 18_000, mcp: 18_000, sandbox: 22_000 };
/** How many times faster the sandbox's clock runs: a cold start takes half a second. */
const SPEED = "20";

const checks = createChecks("clients");
if (await install()) {
  await withSandbox(checkSdk);
  await withSandbox(checkMcp);
}
checks.close();

async function install() {
  mkdirSync(FOLDER, { recursive: true });
  const manifest = { private: true, dependencies: CLIENTS };
  writeFileSync(join(FOLDER, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const quiet = { cwd: FOLDER, show: () => null };
  const { status, output } = await run(npm, { ...quiet, timeoutMs: LIMITS_MS.install });
  const names = Object.entries(CLIENTS).map(([name, version]) => `${name} ${version}`);
  return checks.tell(`npm install of ${names.join(" and ")}`, status === 0, output);
}

/** Each client has a sandbox of its own: what one leaves running is not in the other's way. */
async function withSandbox(check) {
  const { path: home, remove } = temporaryFolder("clients");
  const command = [programOf("bun"), join(ROOT, "bin/readback.ts"), "sandbox", "--json", "--speed", SPEED];
  const box = start(command, { HOME: home }, { timeoutMs: LIMITS_MS.sandbox });
  try {
    const { env } = JSON.parse(await box.firstLine);
    await check({ PATH: process.env.PATH ?? "", HOME: home, ...env });
  } catch (error) {
    checks.tell(check.name, false, String(error));
  } finally {
    await stop(box);
    await remove();
  }
}

async function checkSdk(env) {
  const command = [process.execPath, join(ROOT, "scripts/_sdk-calls.mjs"), SDK];
  const { status, output } = await run(command, { env, show: () => null, timeoutMs: LIMITS_MS.sdk });
  // The SDK prints lines of its own while it waits.
  const calls = output.split("\n").filter((line) => line.startsWith('{"call":'));
  for (const { call, fine, answer } of calls.map((line) => JSON.parse(line))) {
    checks.tell(`runpod-sdk: ${call}`, fine, JSON.stringify(answer));
  }
  const complete = status === 0 && calls.length === SDK_CALLS;
  if (!complete) checks.tell(`runpod-sdk: ${SDK_CALLS} calls, ended with ${status}`, false, output);
}

async function checkMcp({ PATH, HOME, RUNPOD_API_KEY, RUNPOD_API_BASE_URL, RUNPOD_SERVERLESS_API_URL }) {
  const env = { PATH, HOME, RUNPOD_API_KEY, RUNPOD_API_BASE_URL, RUNPOD_SERVERLESS_API_URL };
  const mcp = await openMcp([process.execPath, MCP], { env, timeoutMs: LIMITS_MS.mcp });
  try {
    const tools = await mcp.listTools();
    checks.tell(
      `MCP: ${mcp.serverInfo.version} lists its tools`,
      tools.includes("set-endpoint-gpus"),
      String(tools),
    );
    await useEndpoint(callerOf(mcp));
  } finally {
    await mcp.close();
  }
}

/** Calls a tool, which must give no error and what is wanted, and gives what it says. */
function callerOf(mcp) {
  return async (tool, args, wanted) => {
    const { isError, content } = await mcp.callTool(tool, args);
    const text = content.map((part) => part.text).join("\n");
    const said = isError === true ? {} : JSON.parse(text);
    checks.tell(`MCP: ${tool} ${JSON.stringify(args)}`, isError !== true && holds(wanted, said), text);
    return said;
  };
}

/** An answer without the part that is looked at is not what is wanted. */
function holds(wanted, said) {
  try {
    return wanted(said);
  } catch {
    return false;
  }
}

/** A day with an endpoint: looked at, changed, pinned, used, and looked into. */
async function useEndpoint(call) {
  const id = "4m7x2k9q";
  const endpointId = id;
  await call("list-endpoints", {}, ({ items }) => items.some((item) => item.id === id) && items.length === 4);
  await call("get-endpoint", { id }, ({ name, workers }) => name === "image-generator" && workers.max === 5);
  await call("list-endpoint-workers", { id }, ({ workers }) => workers.length === 0);
  await call("list-endpoint-releases", { id }, ({ releases }) => releases[0].version === 4);
  await call("endpoint-health", { endpointId }, ({ jobs }) => jobs.inQueue === 0);
  await call("list-gpu-types", {}, ({ gpus }) => gpus.some((gpu) => gpu.id === "NVIDIA L40S"));

  const workers = { max: 4, idleTimeout: 600 };
  await call("update-endpoint", { id, body: { workers } }, (after) => after.workers.max === 4);
  const others = ["NVIDIA L40", "NVIDIA RTX 6000 Ada Generation"];
  const pin = { endpointId, pools: ["ADA_48_PRO"], excludeGpuTypeIds: others };
  const pinned = ["ADA_48_PRO", ...others.map((type) => `-${type}`)].join(",");
  await call("set-endpoint-gpus", pin, ({ endpoint }) => endpoint.gpuIds === pinned);
  const again = { endpointId, gpuIds: pinned, gpuCount: 1, minCudaVersion: "12.4" };
  await call("set-endpoint-gpus", again, ({ previousGpuIds }) => previousGpuIds === pinned);
  await call("get-endpoint", { id }, ({ gpu, workers: { max, min } }) => {
    return gpu.excludedTypes.length === 2 && gpu.minCudaVersion === "12.4" && max === 4 && min === 0;
  });

  const input = { prompt: "a red fox" };
  const job = await call("run-endpoint", { endpointId, input }, ({ status }) => status === "IN_QUEUE");
  const named = { endpointId, jobId: job.id };
  await call("get-job-status", named, (now) => now.id === job.id);
  const done = ({ status, output }) => status === "COMPLETED" && output.width === 1024;
  const { workerId } = await call("get-job-status", { ...named, wait: 15_000 }, done);
  const ranOnPin = (worker) => worker.id === workerId && worker.gpuTypeId === "NVIDIA L40S";
  await call("list-endpoint-workers", { id }, (now) => now.workers.some(ranOnPin));
  const logs = { endpointId, workerId, maxWaitMs: 1_000 };
  await call("stream-worker-logs", logs, ({ items }) => bothSources(items) && mentions(items, job.id));
  const container = { ...logs, source: "container", tail: 2 };
  await call("stream-worker-logs", container, ({ items }) => items.length === 2);
  await call("list-endpoint-releases", { id }, ({ releases }) => releases[0].version > 4);
  await call("runsync-endpoint", { endpointId, input }, done);
  await leave(call, endpointId);
}

async function leave(call, endpointId) {
  const stream = { endpointId: "3p8n6v2d", input: { chunks: 3 } };
  const { id } = await call("run-endpoint", stream, ({ status }) => status === "IN_QUEUE");
  const whole = (said) => said.status === "COMPLETED" && said.stream.length === 3;
  await call("stream-job", { endpointId: "3p8n6v2d", jobId: id }, whole);
  const long = { endpointId, input: { prompt: "a red fox", sleepMs: 600_000 } };
  const { id: jobId } = await call("run-endpoint", long, ({ status }) => status === "IN_QUEUE");
  await call("cancel-job", { endpointId, jobId }, ({ status }) => status === "CANCELLED");
  await call("purge-endpoint-queue", { endpointId }, ({ status }) => status === "completed");
}

function bothSources(items) {
  return ["system", "container"].every((source) => items.some((item) => item.source === source));
}

function mentions(items, text) {
  return items.some((item) => item.line.includes(text));
}
