import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReadbackError } from "../errors.ts";

/** What a config file may be called. */
export const CONFIG_NAMES: readonly string[] = [
  "readback.config.ts",
  "readback.config.js",
  "readback.config.json",
];

/**
 * Looks for a config file in a folder and upwards; the nearest one counts.
 *
 * @returns its path, or null where there is none
 * @throws usage_error - one folder has several
 */
export async function findConfig(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const files = await readdir(at).catch((): string[] => []); // a folder that may not be listed has none
    const [found, second] = CONFIG_NAMES.filter((name) => files.includes(name));
    if (second !== undefined)
      throw new ReadbackError("usage_error", `${at} has both ${found} and ${second}: keep one of them`);
    if (found !== undefined) return join(at, found);
    if (dirname(at) === at) return null;
  }
}
