import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The revision of the protocol that is offered. */
const PROTOCOL = "2025-06-18";

/**
 * Starts a server of the Model Context Protocol and greets it. Messages are lines of JSON on its input and output.
 *
 * @param {readonly string[]} command
 * @param {{ env: Record<string, string>, timeoutMs: number }} options  timeoutMs: for the whole session
 */
export async function openMcp([program, ...args], { env, timeoutMs }) {
  const limit = { timeout: timeoutMs, killSignal: "SIGKILL" };
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], ...limit });
  child.stdin.on("error", () => {}); // it has ended: its `close` tells
  const requests = listen(child);
  let lastId = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      if (hasEnded(child)) throw new Error("the MCP server has ended");
      lastId += 1;
      requests.set(lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });
  const clientInfo = { name: "readback-clients-check", version: "1" };
  const hello = await request("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    serverInfo: hello.serverInfo,
    listTools: async () => (await request("tools/list", {})).tools.map(({ name }) => name),
    callTool: (name, args) => request("tools/call", { name, arguments: args }),
    close: () => closed(child),
  };
}

/** Hands each answer to its request; when the server ends, those that are open have failed. */
function listen(child) {
  const requests = new Map();
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    const request = requests.get(id);
    requests.delete(id);
    if (error === undefined) request?.resolve(result);
    else request?.reject(new Error(`${error.message} (${error.code})`));
  });
  const end = (why) => {
    for (const { reject } of requests.values()) reject(new Error(`the MCP server ended: ${why}\n${said}`));
  };
  child.once("error", ({ message }) => end(message));
  child.once("close", (code, signal) => end(code ?? signal));
  return requests;
}

/** The end of its input is how a client says goodbye. */
function closed(child) {
  if (hasEnded(child)) return Promise.resolve(child.exitCode ?? 1);
  const late = setTimeout(() => child.kill("SIGTERM"), 1_000);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      clearTimeout(late);
      resolve(code ?? 1);
    });
    child.stdin.end();
  });
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}
