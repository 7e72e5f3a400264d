import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { ReadbackError } from "../errors.ts";
import { type Config, parseConfig } from "./config.ts";
import { findConfig } from "./find-config.ts";

/** What the config file that is nearest to a person says, with whole paths. */
export interface Team {
  /** The config file, relative to where the person stands. */
  readonly shown: string;
  /** Whole paths of the recipes folders. */
  readonly recipes: readonly string[];
  readonly allowHosts: readonly string[];
  /** Whole path; null where the config says nothing. */
  readonly historyFolder: string | null;
  /** Recipe → flag → value. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}

/**
 * Reads the config file found from a folder upwards.
 *
 * @param folder where the person stands
 * @returns null where there is none
 * @throws usage_error - it cannot be read, or says something that it cannot; file and field are named
 * @throws recipe_error - it is code, and throws
 */
export async function loadTeam(folder: string): Promise<Team | null> {
  const path = await findConfig(folder);
  if (path === null) return null;
  const shown = relative(folder, path);
  const { recipes, allowHosts, historyFolder, defaults } = await read(path, shown);
  const whole = (given: string): string => resolve(dirname(path), given);
  return {
    shown,
    recipes: (recipes ?? []).map(whole),
    allowHosts: allowHosts ?? [],
    historyFolder: historyFolder === undefined ? null : whole(historyFolder),
    defaults: defaults ?? {},
  };
}

async function read(path: string, shown: string): Promise<Config> {
  if (path.endsWith(".json")) return parseConfig(await readJson(path, shown), shown);
  const { importFile } = await import("../load/import-file.ts"); // it has a parser
  const { module } = await importFile(path, { shown, what: "config file" });
  if ("default" in module) return parseConfig(module["default"], shown);
  throw new ReadbackError("usage_error", `${shown} has no default export; it ends in export default { … }`);
}

async function readJson(path: string, shown: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ReadbackError("usage_error", `Cannot read the config file ${shown}: ${code}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReadbackError("usage_error", `${shown} is no JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
