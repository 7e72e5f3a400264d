import { assertEnd, JsonTextError, skipKey, skipSpace, skipString, skipValue } from "./_json-scan.ts";

export { JsonTextError } from "./_json-scan.ts";

export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/**
 * Gives a JSON text without its insignificant white space. Strings, numbers, keys, their order, duplicate keys and
 * `__proto__` stay as they are written; a text that has none is given back itself.
 *
 * @throws JsonTextError where it is not JSON
 */
export function compactJson(text: string): string {
  const pieces = createPieces();
  let from = skipSpace(text, 0);
  const end = skipValue(text, from, (gapFrom, gapTo) => {
    pieces.add(text.slice(from, gapFrom));
    from = gapTo;
  });
  assertEnd(text, skipSpace(text, end));
  if (pieces.empty) return from === 0 && end === text.length ? text : text.slice(from, end);
  pieces.add(text.slice(from, end));
  return pieces.join();
}

/** True when a text is JSON, and nothing but JSON. */
export function isJson(text: string): boolean {
  try {
    assertEnd(text, skipSpace(text, skipValue(text, skipSpace(text, 0))));
    return true;
  } catch {
    return false;
  }
}

/** What kind of value a JSON text is, by its first character; the text is taken as checked. */
export function jsonKind(text: string): JsonKind {
  const first = text[skipSpace(text, 0)] ?? "";
  const kinds: Readonly<Record<string, JsonKind>> = {
    "{": "object",
    "[": "array",
    '"': "string",
    t: "boolean",
    f: "boolean",
    n: "null",
  };
  return kinds[first] ?? "number";
}

/** One key of an object and its value, as written. */
export interface Member {
  readonly key: string;
  readonly value: string;
}

/**
 * Gives the members of the object that a JSON text is, in their order, duplicates included; null when it is no object.
 * The whole text is checked, and nothing but the keys is made a value.
 *
 * @throws JsonTextError where it is not JSON
 */
export function members(text: string): readonly Member[] | null {
  const found: Member[] = [];
  const start = skipSpace(text, 0);
  if (text[start] !== "{") return checked(text, start);
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}") {
    if (found.length > 0) at = skipComma(text, at, "}");
    const valueAt = skipKey(text, at);
    const end = skipValue(text, valueAt);
    const key: unknown = JSON.parse(text.slice(at, skipString(text, at)));
    found.push({ key: String(key), value: text.slice(valueAt, end) });
    at = skipSpace(text, end);
  }
  assertEnd(text, skipSpace(text, at + 1));
  return found;
}

/**
 * Gives the elements of the array that a JSON text is, as written; null when it is no array.
 *
 * @throws JsonTextError where it is not JSON
 */
export function elements(text: string): readonly string[] | null {
  const found: string[] = [];
  const start = skipSpace(text, 0);
  if (text[start] !== "[") return checked(text, start);
  let at = skipSpace(text, start + 1);
  while (text[at] !== "]") {
    if (found.length > 0) at = skipComma(text, at, "]");
    const end = skipValue(text, at);
    found.push(text.slice(at, end));
    at = skipSpace(text, end);
  }
  assertEnd(text, skipSpace(text, at + 1));
  return found;
}

function checked(text: string, start: number): null {
  assertEnd(text, skipSpace(text, skipValue(text, start)));
  return null;
}

function skipComma(text: string, at: number, closer: string): number {
  if (text[at] !== ",") throw new JsonTextError(text, at, `"," or "${closer}"`);
  return skipSpace(text, at + 1);
}

/** Pieces are joined in batches, so that a large text with much white space does not become millions of them. */
function createPieces() {
  const batches: string[] = [];
  let batch: string[] = [];
  return {
    get empty(): boolean {
      return batches.length === 0 && batch.length === 0;
    },
    add(piece: string): void {
      batch.push(piece);
      if (batch.length < 4096) return;
      batches.push(batch.join(""));
      batch = [];
    },
    join: (): string => batches.join("") + batch.join(""),
  };
}
