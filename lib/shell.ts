import { constants } from "node:os";
import { environment } from "./config.ts";
import { ReadbackError } from "./errors.ts";
import type { Ops } from "./ops.ts";
import { isSecretName } from "./plan/secrets.ts";
import type { ShellResult } from "./plan/shell-mutation.ts";
import { engineOf } from "./run/engine.ts";

export type { ShellResult } from "./plan/shell-mutation.ts";

export interface ShellOptions {
  /** The command only looks: it runs in a dry run too, and needs no scope. @default false */
  readonly looks?: boolean;
  /** Folder to run in. @default the folder of the process */
  readonly cwd?: string;
  /** Names of secret environment variables to pass on; others that look secret are not. @default none */
  readonly secrets?: readonly string[];
  /** How long it may take, in milliseconds; then it is ended. @default no limit */
  readonly timeoutMs?: number;
}

/** Runs the command that a template literal is; every value in it is quoted as one argument, a list as several. */
export type ShellTag = (
  strings: TemplateStringsArray,
  ...values: readonly ShellValue[]
) => Promise<ShellResult>;

export type ShellValue = string | number | readonly (string | number)[];

/**
 * The shell step, on zx: gives a tag that runs one command line. A command that changes something needs the scope
 * `shell`; a dry run shows its line and runs nothing, and what it prints is a stand-in there. One marked `looks` runs in
 * a dry run too. Secrets of the environment are not passed on unless they are named.
 *
 * @throws undeclared_mutation - refused before anything is run
 * @throws usage_error - a value in the template is undefined, null or empty
 * @throws shell_failed - the exit status is not 0; the last lines of stderr are in the message. 128 + n for signal n
 * @example
 * ```ts
 * const { stdout } = await shell(ops, { looks: true })`git rev-parse HEAD`;
 * await shell(ops)`docker push ${image}`; // needs mutates: ["shell"]
 * ```
 */
export function shell(ops: Ops, options: ShellOptions & { readonly looks: true }): ShellTag;
export function shell(ops: Ops<"shell">, options?: ShellOptions): ShellTag;
export function shell(ops: Ops, options: ShellOptions = {}): ShellTag {
  const engine = engineOf(ops);
  return async (strings, ...values) => {
    assertFilled(strings, values);
    const command = await lineOf(strings, values);
    const execute = (): Promise<ShellResult> => runOnce(command, options, ops.signal);
    return await engine.shell({ command, looks: options.looks === true, execute });
  };
}

/** An undefined value would become the word `undefined`, an empty one would change which argument is which. */
function assertFilled(strings: TemplateStringsArray, values: readonly unknown[]): void {
  for (const [i, value] of values.entries()) {
    const items = Array.isArray(value) ? value : [value];
    const bad = items.length === 0 ? "an empty list" : items.map(emptiness).find((text) => text !== null);
    if (bad)
      throw new ReadbackError(
        "usage_error",
        `Cannot run \`${strings[i]?.trim()} …\`: value ${i + 1} is ${bad}`,
      );
  }
}

function emptiness(value: unknown): string | null {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== "string" && typeof value !== "number") return `of type ${typeof value}`;
  return value === "" || Number.isNaN(value) ? "empty" : null;
}

async function lineOf(strings: TemplateStringsArray, values: readonly ShellValue[]): Promise<string> {
  const { quote } = await import("zx/core");
  const quoted = values.map((value) =>
    [value]
      .flat()
      .map((item) => quote(String(item)))
      .join(" "),
  );
  return strings.raw
    .map((text, i) => text + (quoted[i] ?? ""))
    .join("")
    .trim();
}

async function runOnce(command: string, options: ShellOptions, signal: AbortSignal): Promise<ShellResult> {
  const { $ } = await import("zx/core");
  const { cwd, timeoutMs, secrets = [] } = options;
  const run = $({
    env: safeEnvironment(secrets),
    nothrow: true,
    quiet: true,
    verbose: false,
    signal,
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
  // One raw piece: the line is quoted already.
  const done = await run(Object.assign([command], { raw: [command] }) as unknown as TemplateStringsArray);
  const exitCode = done.exitCode ?? 128 + signalNumber(done.signal);
  if (exitCode === 0) return { stdout: done.stdout, stderr: done.stderr, exitCode };
  throw failed(command, exitCode, { signal: done.signal, stderr: done.stderr });
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : (constants.signals[signal] ?? 0);
}

function failed(
  command: string,
  exitCode: number,
  { signal, stderr }: { signal: NodeJS.Signals | null; stderr: string },
): ReadbackError {
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  const how = signal === null ? `exit status ${exitCode}` : `${signal}, exit status ${exitCode}`;
  return new ReadbackError(
    "shell_failed",
    `\`${command}\` failed (${how})${last === "" ? "" : `: ${last}`}`,
    {
      details: { exitCode, signal },
    },
  );
}

/** The environment without what looks like a secret, unless it is named. */
function safeEnvironment(named: readonly string[]): Record<string, string> {
  const safe = Object.entries(environment()).filter(
    ([name, value]) => value !== undefined && (!isSecretName(name) || named.includes(name)),
  );
  return Object.fromEntries(safe) as Record<string, string>;
}
