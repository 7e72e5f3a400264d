/** A text that is not JSON: what is wrong, and where. */
export class JsonTextError extends SyntaxError {
  /** Offset in UTF-16 units. */
  readonly offset: number;

  constructor(text: string, offset: number, expected: string) {
    super(`${foundAt(text, offset)}, expected ${expected}`);
    this.name = "JsonTextError";
    this.offset = offset;
  }
}

/** Told about each run of insignificant white space, from its first character to the one after its last. */
export type Gap = (from: number, to: number) => void;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Gives the offset after the JSON value that starts at `start`, checking all of it against the grammar. It keeps a list
 * and no recursion, so that nesting without end is no danger, and it makes no value: numbers stay what is written.
 *
 * @throws JsonTextError
 */
export function skipValue(text: string, start: number, onGap?: Gap): number {
  const closers: number[] = [];
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const inner = skipSpace(text, at + 1, onGap);
      // "{" and "}", "[" and "]" are two apart.
      if (text.charCodeAt(inner) !== code + 2) {
        closers.push(code + 2);
        at = code === OPEN_OBJECT ? skipKey(text, inner, onGap) : inner;
        continue;
      }
      at = inner + 1;
    } else {
      at = skipScalar(text, at);
    }
    at = closeOrGoOn(text, at, closers, onGap);
    if (closers.length === 0) return at;
  }
}

/** Skips `"key" :` and gives the offset of the value. */
export function skipKey(text: string, start: number, onGap?: Gap): number {
  if (text.charCodeAt(start) !== QUOTE) throw new JsonTextError(text, start, "a key in double quotes");
  const colon = skipSpace(text, skipString(text, start), onGap);
  if (text.charCodeAt(colon) !== COLON) throw new JsonTextError(text, colon, '":"');
  return skipSpace(text, colon + 1, onGap);
}

/** Gives the offset after the string whose opening quote is at `start`. */
export function skipString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at = skipEscape(text, at);
    else if (!(code >= 32)) throw new JsonTextError(text, at, "the end of a string");
  }
}

/** Gives the offset of the first character that is not white space of JSON. */
export function skipSpace(text: string, start: number, onGap?: Gap): number {
  let at = start;
  for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) at += 1;
  if (at > start) onGap?.(start, at);
  return at;
}

/** Checks that nothing follows. @throws JsonTextError */
export function assertEnd(text: string, at: number): void {
  if (at !== text.length) throw new JsonTextError(text, at, "nothing more");
}

/** After a value: closes what ends here, up to the offset of the next value or, with nothing left open, the end. */
function closeOrGoOn(text: string, start: number, closers: number[], onGap?: Gap): number {
  let at = start;
  for (;;) {
    const closer = closers.at(-1);
    if (closer === undefined) return at;
    at = skipSpace(text, at, onGap);
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      at = skipSpace(text, at + 1, onGap);
      return closer === CLOSE_OBJECT ? skipKey(text, at, onGap) : at;
    }
    if (code !== closer) throw new JsonTextError(text, at, `"," or "${String.fromCharCode(closer)}"`);
    closers.pop();
    at += 1;
  }
}

function skipScalar(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return skipString(text, start);
  if (isDigit(code) || code === 45) return skipNumber(text, start);
  const word = ["true", "false", "null"].find((literal) => text.startsWith(literal, start));
  if (word === undefined) throw new JsonTextError(text, start, "a JSON value");
  return start + word.length;
}

/** `-0`, `1.0`, `1e400`: whatever the grammar allows, however large. */
function skipNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === 45 ? start + 1 : start;
  let at = text.charCodeAt(first) === 48 ? first + 1 : skipDigits(text, first);
  if (text.charCodeAt(at) === 46) at = skipDigits(text, at + 1);
  if ((text.charCodeAt(at) | 32) !== 101) return at;
  const sign = text.charCodeAt(at + 1);
  return skipDigits(text, sign === 43 || sign === 45 ? at + 2 : at + 1);
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === start) throw new JsonTextError(text, at, "a digit");
  return at;
}

/** Gives the offset of the last character of the escape whose backslash is at `at`. */
function skipEscape(text: string, at: number): number {
  const next = text[at + 1] ?? "";
  if (next !== "" && '"\\/bfnrt'.includes(next)) return at + 1;
  if (next === "u" && /^[\da-f]{4}$/i.test(text.slice(at + 2, at + 6))) return at + 5;
  throw new JsonTextError(text, at, "an escape that JSON knows");
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function foundAt(text: string, offset: number): string {
  if (offset >= text.length) return "the text ends too early";
  const line = text.slice(0, offset).split("\n").length;
  const column = offset - text.lastIndexOf("\n", offset - 1);
  return `${JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0))} at line ${line}, column ${column}`;
}
