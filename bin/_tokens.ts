import { parseArgs } from "node:util";
import type { ArgDef, ArgsDef } from "citty";

/** A flag whose value may be left out, and what it is then; its value comes only after `=`. */
export const OPTIONAL_VALUES: Readonly<Record<string, string>> = { sandbox: "healthy" };

export interface OptionToken {
  readonly kind: "option";
  readonly index: number;
  readonly name: string;
  /** As typed: `--gpu`, `-g`. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** True for `--gpu=X`. */
  readonly inlineValue: boolean | undefined;
}

export type Token =
  | OptionToken
  | { readonly kind: "positional"; readonly index: number; readonly value: string }
  | { readonly kind: "option-terminator"; readonly index: number };

/** Takes arguments apart without judging them. */
export function tokensOf(args: readonly string[], declared: ArgsDef): readonly Token[] {
  const flags = Object.entries(declared).filter(([, arg]) => arg.type !== "positional");
  const options = flags.map(([name, arg]): [string, { type: "boolean" | "string"; short?: string }] => [
    name,
    { type: arg.type === "boolean" ? "boolean" : "string", ...shortOf(arg) },
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens as readonly Token[];
}

/** Writes the value of a bare `--sandbox` out, so that no parser takes the next word for it. */
export function withOptionalValues(argv: readonly string[], declared: ArgsDef): readonly string[] {
  const end = argv.indexOf("--");
  return argv.map((word, i) => {
    const name = word.startsWith("--") && (end === -1 || i < end) ? word.slice(2) : "";
    const value = Object.hasOwn(declared, name) ? OPTIONAL_VALUES[name] : undefined;
    return value === undefined ? word : `${word}=${value}`;
  });
}

/** The one letter that a flag may have, `-o` for `--output`; citty calls it an alias. */
export function letterOf(arg: ArgDef): string | null {
  const alias = "alias" in arg ? arg.alias : undefined;
  return typeof alias === "string" && alias.length === 1 ? alias : null;
}

function shortOf(arg: ArgDef): { short?: string } {
  const short = letterOf(arg);
  return short === null ? {} : { short };
}
