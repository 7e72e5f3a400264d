/**
 * Makes a text safe for a terminal and keeps it on one line: control characters, escape sequences, line breaks and
 * characters that turn the direction of writing are shown as `\x1b` or `\u202e`. What a service or a file says must not
 * be able to look like what Readback says.
 */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, shownCode);
}

/** The same for a text whose lines are its own, such as a list of errors. */
export function safeLines(text: string): string {
  return text.split("\n").map(oneLine).join("\n");
}

// C0 and DEL, C1, line and paragraph separators, bidirectional controls, and the byte order mark.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function shownCode(character: string): string {
  const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const code = character.charCodeAt(0);
  return named[character] ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
