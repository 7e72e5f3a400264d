/** What stands where a secret was. */
export const MASK = "***";

/** A key shorter than this is no real key, and masking it would garble ordinary words. */
const SHORTEST_KEY = 4;

/** Gives `text` without any of `keys`: for every text that a person, a file or a log may see. */
export function mask(text: string, keys: readonly string[]): string {
  return keys
    .filter((key) => key.length >= SHORTEST_KEY)
    .reduce((masked, key) => masked.replaceAll(key, MASK), text);
}
