import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { ReadbackError } from "../errors.ts";
import type { Journal } from "./journal.ts";

/**
 * Starts the record of a run: one file of JSON lines, readable by its owner alone. Every line is on disk before
 * `append` resolves.
 *
 * @param folder where the records are; made when it is missing
 * @throws usage_error - it cannot be written
 */
export async function openJournal(folder: string, runId: string, now: () => number): Promise<Journal> {
  const path = join(folder, `${runId}.jsonl`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // wx: two runs never share a file.
    const file = await open(path, "wx", 0o600);
    return {
      async append(event) {
        try {
          const at = new Date(now()).toISOString();
          await file.appendFile(`${JSON.stringify({ ...event, runId, at })}\n`);
          await file.sync();
        } catch (error) {
          throw cannotWrite(path, error);
        }
      },
      close: () => file.close(),
    };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, cause: unknown): ReadbackError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ReadbackError(
    "usage_error",
    `Cannot record the run in ${path}: ${why}. Set READBACK_HISTORY_DIR to a folder that can be written`,
    { cause },
  );
}
