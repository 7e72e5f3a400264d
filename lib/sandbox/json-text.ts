/** JSON that goes out as it is, byte for byte: what a job brought or gave is nobody's to change. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes a document as `JSON.stringify` does, with every {@link JsonText} in it as it is. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`);
  return `{${members.join(",")}}`;
}

/**
 * The members of a JSON object as the text each has, by key; the last of equal keys counts. Null where the text is no
 * JSON, or no object.
 */
export function membersOf(text: string): ReadonlyMap<string, string> | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const start = skipSpace(text, 0);
  return text[start] === "{" ? scan(text, start + 1) : null;
}

/** Walks over an object that is known to be valid. */
function scan(text: string, from: number): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, from);
  while (text[at] !== "}") {
    const keyEnd = skipString(text, at);
    const key: string = JSON.parse(text.slice(at, keyEnd));
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    members.set(key, text.slice(valueStart, valueEnd));
    at = skipSpace(text, valueEnd);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return members;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (" \t\n\r".includes(text[at] ?? "x")) at += 1;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  do {
    const character = text[at];
    if (character === '"') at = skipString(text, at);
    else {
      if (character === "{" || character === "[") depth += 1;
      if (character === "}" || character === "]") depth -= 1;
      at += 1;
    }
  } while (depth > 0 || isInScalar(text[at], text[from]));
  return at;
}

/** Numbers and words end at what follows them; strings and containers at themselves. */
function isInScalar(next: string | undefined, first: string | undefined): boolean {
  if (first === '"' || first === "{" || first === "[") return false;
  return next !== undefined && !",}] \t\n\r".includes(next);
}
