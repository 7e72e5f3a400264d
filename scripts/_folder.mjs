import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TRIES = 20;
const PAUSE_MS = 100;

/**
 * A folder of its own for one check. `remove` tries for 2 s: a program that was just ended (a shell that writes its
 * history when its terminal goes) may still put a file into it, and one pass of `rmSync` does not see that file.
 *
 * @param {string} name  what it is for
 */
export function temporaryFolder(name) {
  const path = mkdtempSync(join(tmpdir(), `readback-${name}-`));
  const remove = async () => {
    for (let left = TRIES; ; left--) {
      try {
        return rmSync(path, { recursive: true, force: true });
      } catch (error) {
        if (left === 0) throw error;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    }
  };
  return { path, remove };
}
