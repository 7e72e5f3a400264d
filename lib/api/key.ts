import { ReadbackError } from "../errors.ts";

/** What keys are made of: visible ASCII without quotes and backslash. */
const PLAIN = /^[\x21\x23-\x26\x28-\x5b\x5d-\x5f\x61-\x7e]+$/;

const KINDS: Readonly<Record<string, string>> = {
  "\n": "a line feed",
  "\r": "a carriage return",
  "\t": "a tab",
  " ": "a space",
  "\0": "a NUL character",
  "\u00a0": "a no-break space",
  '"': "a quotation mark",
  "'": "a quotation mark",
  "`": "a backquote",
  "\\": "a backslash",
  "\u2018": "a curly quotation mark",
  "\u2019": "a curly quotation mark",
  "\u201c": "a curly quotation mark",
  "\u201d": "a curly quotation mark",
  "\ufeff": "a byte order mark",
};

/**
 * Checks that a key can be sent in a header, before any runtime sees it: Node and Deno print the whole header in their
 * own error text.
 *
 * @throws no_credentials when it is empty or holds a character that no key has; the key itself is never named
 */
export function assertKey(key: string, source: string): void {
  if (key === "") throw new ReadbackError("no_credentials", "No API key: set RUNPOD_API_KEY");
  if (PLAIN.test(key)) return;
  const characters = [...key];
  const at = characters.findIndex((character) => !isKeyCharacter(character));
  if (at === -1) return;
  const place = `character ${at + 1} of ${characters.length}`;
  throw new ReadbackError(
    "no_credentials",
    `The key from ${source} cannot be used: ${place} is ${kindOf(characters[at] ?? "")}`,
    { details: { position: at + 1 } },
  );
}

/** The first 8 hex digits of the SHA-256 of a key: what is shown in its place. */
export function keyFingerprint(key: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

function isKeyCharacter(character: string): boolean {
  return /^[\x21-\x7e]$/.test(character) && !/["'`\\]/.test(character);
}

/** Names the kind alone: of an ASCII letter the kind would be the key's own text, but letters are never refused. */
function kindOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = KINDS[character] ?? (code < 0x20 || code === 0x7f ? "a control character" : "not plain ASCII");
  return `${name} (U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
}
