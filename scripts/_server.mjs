import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ROOT } from "./_process.mjs";

/** How long a server may take to end after SIGTERM. */
const STOP_MS = 5_000;

/**
 * Starts a program that prints a line when it listens.
 *
 * @param {readonly string[]} command
 * @param {Record<string, string>} env
 * @param {{ timeoutMs?: number }} [options]  timeoutMs: how long it may live, by default until it is stopped
 */
export function start([program, ...args], env, { timeoutMs } = {}) {
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: "SIGKILL" };
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    ...limit,
  });
  const lines = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  const firstLine = new Promise((done, fail) => {
    reader.once("line", done);
    child.once("exit", (code) =>
      fail(new Error(`${program} ${args.join(" ")} ended with ${code} before it listened`)),
    );
  });
  const ended = new Promise((done) => child.once("close", (code) => done(code ?? 1)));
  return { child, lines, firstLine, ended };
}

/** Ends a program; one that does not go counts as failed. @param {ReturnType<typeof start>} server */
export async function stop({ child, lines, ended }) {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  const status = await ended;
  clearTimeout(late);
  return { status, lines };
}
