import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { recordOf } from "./read.ts";
import type { RunRecord } from "./run-record.ts";

/** The recorded runs, newest first; records that cannot be read are left out and counted. */
export async function listRuns(
  folder: string,
): Promise<{ readonly runs: readonly RunRecord[]; readonly unreadable: number }> {
  const names = (await namesIn(folder))
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .reverse();
  const runs: RunRecord[] = [];
  for (const name of names) {
    try {
      runs.push(recordOf(name.slice(0, -".jsonl".length), await readFile(join(folder, name), "utf8")));
    } catch {
      // Counted below: one broken file must not hide the others.
    }
  }
  return { runs, unreadable: names.length - runs.length };
}

/** No folder yet is an empty history. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
