import type { ArgsDef } from "citty";
import { CONNECTION_FLAGS, JSON_FLAG } from "./_flags.ts";
import { OPTIONAL_VALUES } from "./_tokens.ts";

/** Flags of every command that plans and applies. */
export const RUN_FLAGS = {
  "dry-run": { type: "boolean", description: "show the plan and send nothing" },
  "exit-code": { type: "boolean", description: "with --dry-run: exit 10 when there is something to change" },
  yes: { type: "boolean", description: "do not ask before applying" },
  ...JSON_FLAG,
  "show-requests": { type: "boolean", description: "show each request as it will be sent" },
  ...CONNECTION_FLAGS,
} as const satisfies ArgsDef;

/** The flags as given. */
export interface RunFlags {
  readonly "dry-run"?: boolean | undefined;
  readonly "exit-code"?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly "show-requests"?: boolean | undefined;
  readonly sandbox?: string | undefined;
  readonly timeout?: string | undefined;
  readonly "allow-host"?: string | undefined;
}

/** The words of a dry run without the flags that make it one: what applies the same. */
export function applyWords(words: readonly string[]): readonly string[] {
  const only = ["--dry-run", "--exit-code", "--json", "--show-requests"];
  return words
    .filter((word) => !only.includes(word))
    .map((word) => (word === BARE_SANDBOX ? "--sandbox" : word));
}

/** What _args.ts makes of a bare `--sandbox`. */
const BARE_SANDBOX = `--sandbox=${OPTIONAL_VALUES["sandbox"]}`;
