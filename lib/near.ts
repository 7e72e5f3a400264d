/** The candidate that a mistyped word comes nearest to, or undefined when none is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return nearestAll(word, candidates)[0];
}

/** The candidates near a mistyped word, nearest first: at most a third of the word's letters may differ. */
export function nearestAll(word: string, candidates: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, edits: edits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate);
}

/** Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, changes and swaps of neighbours. */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(swapped ? Math.min(best, at(beforeLast, j - 2) + 1) : best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
