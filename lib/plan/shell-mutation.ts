import type { MutationBase } from "./mutation.ts";

/** What a shell command gave. */
export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n for a command that signal n ended. */
  readonly exitCode: number;
}

/** A shell command that changes something: shown as it would be run, run by an apply alone. */
export interface ShellMutation extends MutationBase {
  readonly kind: "shell";
  readonly endpoint: null;
  readonly before: null;
  /** No request is made; `command` is what is run. */
  readonly request: { readonly method: "SHELL"; readonly url: null; readonly body: null };
  /** The command line, with keys masked. */
  readonly command: string;
  /** Runs it, once. @throws shell_failed */
  readonly execute: () => Promise<ShellResult>;
}

/** Makes the mutation that a shell command is. */
export function shellMutation(
  n: number,
  command: string,
  execute: () => Promise<ShellResult>,
): ShellMutation {
  return {
    kind: "shell",
    n,
    scopes: ["shell"],
    endpoint: null,
    summary: `Run ${command}`,
    request: { method: "SHELL", url: null, body: null },
    before: null,
    diff: [],
    effects: [
      { code: "no_undo", level: "warn", text: "what a shell command does is not known, and not undone" },
    ],
    cost: null,
    undo: { possible: false, why: "what a shell command does is not known" },
    restores: null,
    command,
    execute,
  };
}
