import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../bin/readback.ts", import.meta.url));

/** What a call of the command line came to. */
export interface Called {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  /** Beside PATH, HOME and what the runtime needs there is nothing else. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** `open`: a pipe that nobody writes to or closes. @default "ignore" */
  readonly stdin?: "ignore" | "open";
}

/** Runs the real program on the runtime that runs the test, to its end. */
export async function call(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  return await ended(start(args, options));
}

/** Starts the real program on the runtime that runs the test. */
export function start(args: readonly string[], options: CallOptions = {}): ChildProcess {
  return spawn(process.execPath, [...runtimeArgs(), CLI, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...baseEnv(), ...options.env },
    stdio: [options.stdin === "open" ? "pipe" : "ignore", "pipe", "pipe"],
  });
}

/** How the real program is started on the runtime that runs the test, with flags of the runtime. */
export function programCommand(flags: readonly string[]): {
  readonly program: string;
  readonly before: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  return { program: process.execPath, before: [...runtimeArgs(), ...flags, CLI], env: baseEnv() };
}

/** Sends a signal. `child.kill` makes Deno forget the exit status. */
export function sendSignal(child: ChildProcess, signal: "SIGINT" | "SIGTERM"): void {
  if (child.pid !== undefined) process.kill(child.pid, signal);
}

/** Waits for a started program's end. */
export function ended(child: ChildProcess): Promise<Called> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...texts }));
  });
}

/** A folder of its own for one test file, used as HOME; gone with `remove`. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "readback-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A loopback server that counts what arrives and answers everything with one JSON text. */
export async function countingServer(
  answer = "{}",
): Promise<{ readonly env: Record<string, string>; readonly arrivals: string[]; close(): Promise<void> }> {
  const arrivals: string[] = [];
  const server = createServer((request, response) => {
    arrivals.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json");
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { RUNPOD_API_BASE_URL: url, RUNPOD_INVOKE_URL: url, RUNPOD_API_KEY: KEY },
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A key that is easy to find in an output where it must not be. */
export const KEY = "rpa_VERYSECRETKEY0123456789";

/** The last line of stderr as the error document. */
export function errorOf(called: Called): Record<string, unknown> {
  return JSON.parse(called.stderr.trim().split("\n").at(-1) ?? "");
}

function runtimeArgs(): readonly string[] {
  return "Deno" in globalThis ? ["run", "-A", "--no-prompt", "--no-check"] : [];
}

/** Deno keeps what it made of the sources, so that not every call makes it again. */
function baseEnv(): Record<string, string> {
  const { PATH = "", DENO_DIR } = process.env;
  const cache = DENO_DIR ?? join(tmpdir(), "readback-test-deno");
  const deno = "Deno" in globalThis ? { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1" } : {};
  return { PATH, HOME: join(tmpdir(), "readback-test-no-home"), ...deno };
}
