import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { programCommand } from "./_spawn.ts";

/** What a person types, and what has to stand on the screen before. */
export interface Typing {
  readonly when: RegExp;
  /** `\u0003` is Ctrl-C, `\u0004` Ctrl-D. */
  readonly type: string;
}

/** Runs the real program on a terminal, by util-linux's `script`, with somebody who types. */
export async function onTerminal(
  args: readonly string[],
  typing: readonly Typing[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<{ readonly status: number | null; readonly screen: string }> {
  const { program, before, env } = programCommand([]);
  const line = [program, ...before, ...args].map(quoted).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...env, TERM: "xterm", SHELL: "/bin/sh", ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const left = [...typing];
  let screen = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    const next = left[0];
    if (!next?.when.test(screen.slice(seen))) return;
    seen = screen.length;
    left.shift();
    child.stdin.write(next.type);
  });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, screen }));
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
