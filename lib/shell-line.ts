/** Writes words as one line that a POSIX shell reads back as the same words. */
export function shellLine(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
