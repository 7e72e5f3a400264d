/**
 * Makes a text from elsewhere safe to print on one line: control characters, and those that turn the direction of a text
 * around, become visible.
 */
export function cleanText(text: string, longest = 200): string {
  const shown = [...text]
    .map((character) =>
      isUnsafe(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character,
    )
    .join("");
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

function isUnsafe(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character);
}
