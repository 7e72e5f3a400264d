import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a program to its end and gives its exit status and its output.
 *
 * @param {readonly string[]} command
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, show?: (text: string) => string | null, timeoutMs?: number }} [options]
 *   show: what of each line to print; null prints nothing of it; timeoutMs: when it is ended, by default never
 * @returns {Promise<{ status: number, output: string }>}
 */
export function run(command, { env = process.env, cwd = ROOT, show = (line) => line, timeoutMs } = {}) {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: "SIGKILL" };
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...limit });
    let output = "";
    const printers = [child.stdout, child.stderr].map((stream) => {
      const print = linePrinter(show);
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk;
        print(chunk);
      });
      return print;
    });
    child.on("error", (error) => resolve({ status: 127, output: `${output}\n${error.message}` }));
    child.on("close", (code) => {
      for (const print of printers) print(null);
      resolve({ status: code ?? 1, output });
    });
  });
}

/** Prints whole lines; null prints what is left. */
function linePrinter(show) {
  let rest = "";
  return (chunk) => {
    const lines = (rest + (chunk ?? "")).split("\n");
    rest = chunk === null ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      const shown = show(line);
      if (shown !== null && !(chunk === null && shown === "")) console.log(shown);
    }
  };
}
