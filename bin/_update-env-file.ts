import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { ReadbackError } from "../lib/errors.ts";

/**
 * Reads a file of `NAME=value` lines: quotes around a value, lines of comment and `export ` in front are understood. What
 * a reader would leave out in silence is refused. No message shows a value.
 *
 * @throws usage_error - it cannot be read, a line is no assignment, a name comes twice, or there is none
 */
export async function readEnvFile(path: string): Promise<Readonly<Record<string, string>>> {
  const text = (await read(path)).replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const names = namesOf(text, path);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw unusable(path, `${twice} is set more than once`);
  if (names.length === 0) throw unusable(path, "it sets no variable");
  const values = parseEnv(text);
  return Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
}

const BLANK = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const ASSIGNMENT =
  /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:(?:"[^"]*"|'[^']*'|`[^`]*`)[ \t]*(?:#[^\n]*)?|(?!["'`])[^\n]*)(?:\n|$)/y;

/** The names in order; Node's own parser skips what it cannot read. */
function namesOf(text: string, path: string): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < text.length; ) {
    const found = matchAt(BLANK, text, at) ?? matchAt(ASSIGNMENT, text, at);
    if (found === null) {
      const line = text.slice(0, at).split("\n").length;
      throw unusable(path, `line ${line} is no NAME=value, or a quote on it is not closed`);
    }
    if (found[1] !== undefined) names.push(found[1]);
    at += found[0].length;
  }
  return names;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, "y");
  sticky.lastIndex = at;
  return sticky.exec(text);
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw unusable(path, error instanceof Error && "code" in error ? String(error.code) : "unreadable");
  }
}

function unusable(path: string, why: string): ReadbackError {
  return new ReadbackError("usage_error", `Cannot use --env-file ${JSON.stringify(path)}: ${why}`);
}
