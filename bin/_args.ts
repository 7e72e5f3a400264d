import type { ArgDef, ArgsDef } from "citty";
import { ReadbackError } from "../lib/errors.ts";
import { nearest } from "../lib/near.ts";
import { letterOf, OPTIONAL_VALUES, type OptionToken, tokensOf, withOptionalValues } from "./_tokens.ts";

/** Marks the positional that takes all words that are left. */
export const MANY = "…";

/**
 * Checks what was given against what a command declares, before anything happens: citty itself accepts unknown flags,
 * takes a flag for a value and ignores words too many. Gives the arguments in a form that citty reads as meant.
 *
 * @throws usage_error - an unknown or repeated flag, a missing, empty or unwanted value, a word too many or too few
 */
export function checkArgs(argv: readonly string[], declared: ArgsDef, command: string): readonly string[] {
  const args = withOptionalValues(argv, declared);
  const tokens = tokensOf(args, declared);
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "option") checkFlag(token, { declared, command, seen });
  }
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  checkWords(words, declared, command);
  checkRequired(seen, declared, command);
  return args;
}

/** How an argument is written: `--gpu <GPU>`, `<endpoint>`. */
export function shownArg(name: string, arg: ArgDef): string {
  if (arg.type === "positional") {
    const word = `${name}${arg.valueHint === MANY ? MANY : ""}`;
    return arg.required === false ? `[${word}]` : `<${word}>`;
  }
  const hint = arg.valueHint ?? name.toUpperCase();
  if (name in OPTIONAL_VALUES) return `--${name}[=${hint}]`;
  const letter = letterOf(arg);
  const flag = letter === null ? `--${name}` : `-${letter}, --${name}`;
  return arg.type === "boolean" ? flag : `${flag} ${hint}`;
}

interface Checking {
  readonly declared: ArgsDef;
  readonly command: string;
  readonly seen: Set<string>;
}

function checkFlag(token: OptionToken, { declared, command, seen }: Checking): void {
  const { name, rawName, value, inlineValue } = token;
  const arg = Object.hasOwn(declared, name) ? declared[name] : undefined;
  if (arg === undefined || arg.type === "positional" || !isNameOf(rawName, arg)) {
    throw unknownFlag(rawName, declared, command);
  }
  if (seen.has(name)) throw usage(`${rawName} is given more than once`, command);
  seen.add(name);
  if (arg.type === "boolean") {
    if (inlineValue === true) throw usage(`${rawName} takes no value, got ${JSON.stringify(value)}`, command);
    return;
  }
  const missing = value === undefined || (inlineValue !== true && isFlagLike(value));
  if (missing) throw usage(missingValue(token, name, arg), command);
  if (value.trim() === "") throw usage(`The value of ${rawName} is empty`, command);
}

/** A negative number is no flag: what it is for says better what is wrong with it. */
function isFlagLike(value: string): boolean {
  return value.startsWith("-") && value !== "-" && !/^-\d/.test(value);
}

function isNameOf(rawName: string, arg: ArgDef): boolean {
  return rawName.startsWith("--") || rawName === `-${letterOf(arg)}`;
}

function missingValue({ rawName, value }: OptionToken, name: string, arg: ArgDef): string {
  const got =
    value === undefined
      ? ""
      : `; next comes ${value} (a value that starts with - is given as ${rawName}=${value})`;
  return `${rawName} needs a value, as in ${shownArg(name, arg)}${got}`;
}

function checkWords(words: readonly string[], declared: ArgsDef, command: string): void {
  const positionals = Object.entries(declared).filter(([, arg]) => arg.type === "positional");
  positionals.forEach(([name, arg], i) => {
    const word = words[i];
    if (word === undefined && arg.required !== false) {
      throw usage(`Missing ${shownArg(name, arg)}: ${arg.description}`, command);
    }
    const takesAnything = arg.valueHint === MANY && arg.required === false;
    if (word?.trim() === "" && !takesAnything) throw usage(`${shownArg(name, arg)} is empty`, command);
  });
  const takesAll = positionals.some(([, arg]) => arg.valueHint === MANY);
  const surplus = takesAll ? undefined : words[positionals.length];
  if (surplus !== undefined) throw usage(`${JSON.stringify(surplus)} is one word too many`, command);
}

function checkRequired(seen: ReadonlySet<string>, declared: ArgsDef, command: string): void {
  for (const [name, arg] of Object.entries(declared)) {
    if (arg.type === "positional" || arg.required !== true || seen.has(name)) continue;
    throw usage(`Missing ${shownArg(name, arg)}: ${arg.description}`, command);
  }
}

function unknownFlag(rawName: string, declared: ArgsDef, command: string): ReadbackError {
  const flags = Object.entries(declared).flatMap(([name, arg]) => (arg.type === "positional" ? [] : [name]));
  const word = rawName.replace(/^-+/, "");
  const near = nearest(word, [...flags, "help"]) ?? flags.find((name) => name.startsWith(`${word}-`));
  const hint = near === undefined ? "" : `, did you mean --${near}?`;
  return usage(`Unknown flag ${rawName}${hint}`, command);
}

function usage(message: string, command: string): ReadbackError {
  return new ReadbackError("usage_error", message, { followUp: `${command} --help` });
}
